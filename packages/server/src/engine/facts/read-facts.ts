import { Problem } from '@memhall/core';
import type { Fact, FactStep } from '../../ports/facts.js';
import type { Memory } from '../../ports/memories.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { decodeCursor, type Page, toPage } from '../page.js';
import { findAttribute } from './attributes.js';
import { textKey } from './fact-keys.js';

export const factStatuses = ['current', 'superseded', 'ended', 'retracted', 'unconfirmed'] as const;
export type FactStatus = (typeof factStatuses)[number];

/** When a question is about, in the world and in the store. */
export interface FactTimes {
  /** Default: now. */
  asOf?: Date | undefined;
  /** Default: everything that is known. */
  knownAt?: Date | undefined;
}

export interface FactQuery extends FactTimes {
  subject?: string | undefined;
  attribute?: string | undefined;
  includeSuperseded?: boolean | undefined;
  /** Only facts that wait for a decision. */
  unconfirmed?: boolean | undefined;
  /** Only facts with this memory as evidence. */
  evidence?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** A fact with its status at the time that was asked for. */
export interface SeenFact {
  fact: Fact;
  status: FactStatus;
}

/** What a fact is based on, what it replaces, and how it came to its state. */
export interface FactDetails extends SeenFact {
  evidence: Memory[];
  supersedes: string[];
  steps: FactStep[];
}

/** A fact that has not begun is not current, and nothing has confirmed it yet. */
export function statusOf({ state }: Fact, asOf: Date): FactStatus {
  if (state.standing !== 'held') return state.standing;
  if (state.validFrom > asOf) return 'unconfirmed';
  if (state.validTo === null || state.validTo > asOf) return 'current';
  return state.supersededBy === null ? 'ended' : 'superseded';
}

/** Lists facts that had begun by then, last recorded first: current and unconfirmed ones, and on request those that are over. */
export async function listFacts(engine: Engine, caller: Caller, query: FactQuery): Promise<Page<SeenFact>> {
  const { subject, attribute, includeSuperseded = false, unconfirmed, evidence, limit, cursor, knownAt = null } = query;
  const asOf = query.asOf ?? engine.clock.now();
  const after = cursor === undefined ? undefined : decodeCursor(cursor, 1, /^[0-9a-f-]{36}$/)[0];
  const found = await engine.store.read(scopeOf(caller), async (tables) => {
    const keys = {
      subjectKey: subject === undefined ? undefined : textKey(subject),
      attributeKey: attribute === undefined ? undefined : (await findAttribute(tables, attribute)).key,
    };
    const filter = { ...keys, asOf, includesPast: includeSuperseded, onlyUnconfirmed: unconfirmed, evidence };
    return tables.facts.list(filter, { knownAt, after, limit: limit + 1 });
  });
  const { items, nextCursor } = toPage(found, limit, ({ id }) => [id]);
  return { items: items.map((fact) => ({ fact, status: statusOf(fact, asOf) })), nextCursor };
}

/** Throws NOT_FOUND if there is no such fact, or it was not known yet. Evidence that the caller may not read is left out. */
export function getFact(engine: Engine, caller: Caller, id: string, times: FactTimes = {}): Promise<FactDetails> {
  const now = engine.clock.now();
  const { asOf = now, knownAt = null } = times;
  return engine.store.read(scopeOf(caller), async (tables) => {
    const [fact] = await tables.facts.get([id], knownAt);
    if (fact === undefined) throw missingFact(id);
    const [memories, supersedes, steps] = await Promise.all([
      tables.memories.getMany(fact.evidence, now),
      tables.facts.supersededBy(id, knownAt),
      tables.facts.steps(id),
    ]);
    const known = new Map(memories.map((memory) => [memory.id, memory]));
    return {
      fact,
      status: statusOf(fact, asOf),
      evidence: fact.evidence.flatMap((memoryId) => known.get(memoryId) ?? []),
      supersedes,
      steps: steps.filter(({ at }) => knownAt === null || at <= knownAt),
    };
  });
}

export function missingFact(id: string): Problem {
  return new Problem('NOT_FOUND', `There is no fact ${id}.`);
}
