import { Problem } from '@memhall/core';
import type { Fact } from '../../ports/facts.js';
import type { Memory } from '../../ports/memories.js';
import type { Tables } from '../../ports/store.js';
import type { SubjectGroup, SubjectSummary } from '../../ports/subjects.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { decodeCursor, type Page, toPage } from '../page.js';
import { textKey } from './fact-keys.js';
import { type FactTimes, type SeenFact, statusOf } from './read-facts.js';

export interface SubjectQuery extends FactTimes {
  limit: number;
  cursor?: string | undefined;
}

/** Something that happened to a subject. */
export interface TimelineEntry {
  at: Date;
  event: 'began' | 'ended' | 'superseded';
  fact: Fact;
}

/** A memory that facts of a subject are based on. */
export interface SubjectSource {
  memory: Memory;
  /** Ids of these facts. */
  facts: string[];
}

/** What is known about a subject. It follows from the facts alone, so it is never out of date. */
export interface SubjectPage {
  subject: string;
  /** Its other names. */
  aliases: string[];
  /** Current and unconfirmed, by attribute. */
  facts: SeenFact[];
  /** Oldest first. */
  timeline: TimelineEntry[];
  /** As far as the caller may read them, oldest first. */
  sources: SubjectSource[];
  /** Whether older facts were left out. */
  isShortened: boolean;
}

/** A page has the facts recorded last. All of them are listed with `listFacts`. */
const mostFacts = 500;
const farFuture = new Date(8.64e15);

/** Lists subjects that had facts by then, in the order of their names. */
export async function listSubjects(engine: Engine, caller: Caller, query: SubjectQuery): Promise<Page<SubjectSummary>> {
  const { limit, cursor, knownAt = null, asOf = engine.clock.now() } = query;
  const after = cursor === undefined ? undefined : decodeCursor(cursor, 1)[0];
  const found = await engine.store.read(scopeOf(caller), (tables) =>
    tables.subjects.list(asOf, { knownAt, after, limit: limit + 1 }),
  );
  return toPage(found, limit, ({ key }) => [key]);
}

/** Returns the page of a subject, by any of its names. Throws NOT_FOUND if nothing was known about it. */
export function getSubject(
  engine: Engine,
  caller: Caller,
  subject: string,
  { asOf, knownAt = null }: { asOf?: Date | undefined; knownAt?: Date | null | undefined } = {},
): Promise<SubjectPage> {
  const now = engine.clock.now();
  const moment = asOf ?? now;
  return engine.store.read(scopeOf(caller), async (tables) => {
    const group = await tables.subjects.find(textKey(subject), knownAt);
    const filter = { subjectKey: group.key, attributeKey: undefined, asOf: moment, includesPast: true };
    const found = await tables.facts.list(filter, { knownAt, after: undefined, limit: mostFacts + 1 });
    if (found.length === 0) await checkSubject(tables, group, subject, knownAt);
    const facts = found.slice(0, mostFacts);
    const memories = await tables.memories.getMany([...new Set(facts.flatMap(({ evidence }) => evidence))], now);
    return {
      subject: group.name ?? subject,
      aliases: group.aliases.map(({ name }) => name),
      facts: facts
        .map((fact): SeenFact => ({ fact, status: statusOf(fact, moment) }))
        .filter(({ status }) => status === 'current' || status === 'unconfirmed')
        .sort((one, other) => byAttribute(one.fact, other.fact)),
      timeline: facts.flatMap((fact) => toEntries(fact, moment)).sort(byTime),
      sources: memories.sort(byAge).map((memory) => ({
        memory,
        facts: facts.filter(({ evidence }) => evidence.includes(memory.id)).map(({ id }) => id),
      })),
      isShortened: found.length > mostFacts,
    };
  });
}

/** Throws NOT_FOUND unless the subject has other names, or a fact that is not retracted. */
export async function checkSubject(
  tables: Tables,
  { key, aliases }: SubjectGroup,
  subject: string,
  knownAt: Date | null = null,
): Promise<void> {
  if (aliases.length > 0) return;
  const filter = { subjectKey: key, attributeKey: undefined, asOf: farFuture, includesPast: true };
  const [known] = await tables.facts.list(filter, { knownAt, after: undefined, limit: 1 });
  if (known === undefined) throw missingSubject(subject);
}

export function missingSubject(subject: string, hint = 'Nothing is known about it.'): Problem {
  return new Problem('NOT_FOUND', `There is no subject "${subject}". ${hint}`);
}

function toEntries(fact: Fact, asOf: Date): TimelineEntry[] {
  const { standing, validFrom, validTo, supersededBy } = fact.state;
  if (standing !== 'held') return [];
  const began: TimelineEntry = { at: validFrom, event: 'began', fact };
  if (validTo === null || validTo > asOf) return [began];
  return [began, { at: validTo, event: supersededBy === null ? 'ended' : 'superseded', fact }];
}

/** What ends at a time comes before what begins then. */
function byTime(one: TimelineEntry, other: TimelineEntry): number {
  return (
    one.at.getTime() - other.at.getTime() ||
    Number(one.event === 'began') - Number(other.event === 'began') ||
    compare(one.fact.id, other.fact.id)
  );
}

function byAttribute(one: Fact, other: Fact): number {
  return (
    compare(one.attributeKey, other.attributeKey) ||
    Number(one.state.standing !== 'held') - Number(other.state.standing !== 'held') ||
    one.state.validFrom.getTime() - other.state.validFrom.getTime() ||
    compare(one.id, other.id)
  );
}

function byAge(one: Memory, other: Memory): number {
  return one.occurredAt.getTime() - other.occurredAt.getTime() || compare(one.id, other.id);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
