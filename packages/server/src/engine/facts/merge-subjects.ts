import { type OptionalLabel, Problem } from '@memhall/core';
import type { Fact, FactStep } from '../../ports/facts.js';
import type { Trust } from '../../ports/memory-origin.js';
import type { Tables } from '../../ports/store.js';
import type { SubjectGroup, SubjectName } from '../../ports/subjects.js';
import { contentHash, type Mutation } from '../audit/audit-record.js';
import { mutate } from '../audit/mutate.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { noteKind } from '../memories/new-memory.js';
import { originOfWrite } from '../memories/origin-of-write.js';
import { isLower } from '../trust.js';
import { factLimits, textKey } from './fact-keys.js';
import { toWord } from './put-fact.js';
import { checkSubject, missingSubject } from './read-subjects.js';
import { type ChangeMoment, nextMoment, toMutation } from './record-change.js';
import { type Cause, settleFacts } from './settle-facts.js';

/**
 * Makes `alias` a name of the subject, with all names it was merged with before. Facts keep the subject they were stated with and are
 * on one timeline from then on. Throws NOT_FOUND for an unknown subject, FORBIDDEN if what a more trusted source said would change, or
 * CONFLICT if it would have too many names. The alias may be a name that no fact has yet.
 */
export async function mergeSubjects(engine: Engine, caller: Caller, subject: string, alias: string): Promise<void> {
  const also = await engine.tenants.alsoRedacted(scopeOf(caller));
  const name = toWord('subject', alias, also);
  return mutate(engine, caller, async (tables, now) => {
    const [one, other] = [await findSubject(tables, subject, also), await tables.subjects.find(textKey(name), null)];
    if (one.key === other.key) return { result: undefined, mutations: [] };
    const [stays, moves] = [keysOf(one), keysOf(other)];
    if (stays.length + moves.length > factLimits.names) {
      throw new Problem('CONFLICT', `A subject has at most ${factLimits.names} names.`);
    }
    const { trust } = originOfWrite(caller, { kind: noteKind });
    const moment = await nextMoment(tables, now);
    const root = { nameKey: other.key, name: other.name ?? name, parentKey: one.key };
    const into = { subjectKey: one.key, subject: one.name ?? subject };
    const rows: SubjectName[] = [
      { ...root, ...into, ...moment, change: 'merged', trust, undoes: null },
      ...other.aliases.map((row) => ({ ...row, ...into, ...moment, change: 'moved' as const, trust, undoes: null })),
    ];
    const facts = await tables.facts.inBoth(stays, moves);
    const mutations = store(tables, rows, settleAll(facts, moment, { reason: 'subjects_merged' }), trust);
    return { result: undefined, mutations };
  });
}

/**
 * Takes back a merge: the alias is a subject of its own again, with the names that were merged with it before. What the merge had ended
 * or disputed is restored. Throws NOT_FOUND if it is no alias of the subject, CONFLICT if it is the subject's own name, or FORBIDDEN if
 * somebody more trusted merged them.
 */
export async function splitSubject(engine: Engine, caller: Caller, subject: string, alias: string): Promise<void> {
  const also = await engine.tenants.alsoRedacted(scopeOf(caller));
  return mutate(engine, caller, async (tables, now) => {
    const group = await findSubject(tables, subject, also);
    const nameKey = textKey(toWord('subject', alias, also));
    const own = group.aliases.find((row) => row.nameKey === nameKey);
    if (own === undefined) throw notAnAlias(group, nameKey, alias);
    const { trust } = originOfWrite(caller, { kind: noteKind });
    checkTrust(trust, own.trust, 'take back a merge');
    const moment = await nextMoment(tables, now);
    const undoes = (await tables.subjects.lastMerge(nameKey)) ?? null;
    const into = { subjectKey: nameKey, subject: own.name };
    const leaving = branchOf(own, group.aliases);
    const rows = leaving.map((row): SubjectName => {
      const how = row === own ? { change: 'split' as const, parentKey: null } : { change: 'moved' as const };
      return { ...row, ...into, ...moment, ...how, trust, undoes: row === own ? undoes : null };
    });
    const leavingKeys = leaving.map((row) => row.nameKey);
    const staying = keysOf(group).filter((key) => !leavingKeys.includes(key));
    const facts = await tables.facts.inBoth(staying, leavingKeys);
    const cause = { reason: 'subjects_split', undoes: undoes ?? undefined } as const;
    const [left, rest] = [true, false].map((isLeaving) =>
      facts.filter(({ subjectKey }) => leavingKeys.includes(subjectKey) === isLeaving),
    ) as [Fact[], Fact[]];
    const steps = [...settleAll(left, moment, cause), ...settleAll(rest, moment, cause)];
    return { result: undefined, mutations: store(tables, rows, steps, trust) };
  });
}

async function findSubject(tables: Tables, subject: string, also: readonly OptionalLabel[]): Promise<SubjectGroup> {
  const group = await tables.subjects.find(textKey(toWord('subject', subject, also)), null);
  await checkSubject(tables, group, subject);
  return group;
}

function keysOf({ key, aliases }: SubjectGroup): string[] {
  return [key, ...aliases.map(({ nameKey }) => nameKey)];
}

/** Returns a name and all names whose parents lead to it. */
function branchOf(own: SubjectName, all: readonly SubjectName[]): SubjectName[] {
  const children = all.filter(({ parentKey }) => parentKey === own.nameKey);
  return [own, ...children.flatMap((child) => branchOf(child, all))];
}

function settleAll(facts: readonly Fact[], moment: ChangeMoment, cause: Cause): FactStep[] {
  const attributes = new Set(facts.map(({ attributeKey }) => attributeKey));
  return [...attributes].flatMap((key) =>
    settleFacts(
      facts.filter(({ attributeKey }) => attributeKey === key),
      moment,
      cause,
    ),
  );
}

/** Throws FORBIDDEN if the change would reach a fact that is more trusted than the caller. */
function store(tables: Tables, rows: readonly SubjectName[], steps: readonly FactStep[], trust: Trust): Mutation[] {
  for (const { state } of steps) checkTrust(trust, state.trust, 'change a fact');
  tables.subjects.add(rows);
  tables.facts.addSteps(steps);
  return [...rows.filter(({ change }) => change !== 'moved').map(toNameMutation), ...steps.map(toMutation)];
}

/** The record has no names, because names can be removed and records cannot. */
function toNameMutation({ seq, change, nameKey, parentKey, trust, undoes }: SubjectName): Mutation {
  return {
    ...{ target: `subject-names/${seq}`, preEtag: null, postEtag: null },
    contentHash: contentHash({ name: nameKey, parent: parentKey, change, trust }),
    details: { change, change_seq: seq, ...(undoes === null ? {} : { undoes }) },
  };
}

function checkTrust(trust: Trust, needed: Trust, purpose: string): void {
  if (!isLower(trust, needed)) return;
  throw new Problem('FORBIDDEN', `Trust ${trust} is not enough to ${purpose} of trust ${needed}.`);
}

function notAnAlias({ key, aliases }: SubjectGroup, nameKey: string, alias: string): Problem {
  if (key !== nameKey) return missingSubject(alias, 'It is not an alias of this subject.');
  if (aliases.length === 0)
    return new Problem('CONFLICT', 'The subject has no other name that could be split from it.');
  const names = aliases.map(({ name }) => `"${name}"`).join(', ');
  return new Problem('CONFLICT', `"${alias}" is the subject's own name. Split another name from it: ${names}.`);
}
