import { type OptionalLabel, Problem, redact, uuidv7 } from '@memhall/core';
import type { Fact, NewFact } from '../../ports/facts.js';
import type { Memory } from '../../ports/memories.js';
import type { Trust } from '../../ports/memory-origin.js';
import type { Tables } from '../../ports/store.js';
import type { Mutation } from '../audit/audit-record.js';
import { mutate } from '../audit/mutate.js';
import { isOffTheRecord, nilId } from '../audit/off-the-record.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { checkDate, toContent } from '../memories/memory-input.js';
import { noteKind } from '../memories/new-memory.js';
import { originOfWrite } from '../memories/origin-of-write.js';
import { lowestTrust } from '../trust.js';
import { findAttribute, type KnownAttribute } from './attributes.js';
import { countStatements } from './count-statements.js';
import { type Decision, decideFact, type Statement } from './decide-fact.js';
import { attributeKey, factLimits, textKey, valueKey } from './fact-keys.js';
import { isSameClaim, toClaim } from './fact-timeline.js';
import { factTarget, nextMoment, recordChange, toTimelineFact } from './record-change.js';

/** replace: ends the current value. add: stands beside it. */
export const factModes = ['replace', 'add'] as const;
type FactMode = (typeof factModes)[number];

export interface GivenFact {
  /** `me` is the user. */
  subject: string;
  attribute: string;
  value: string;
  /** Default: now. */
  validFrom?: Date | undefined;
  /** Exclusive. */
  validTo?: Date | undefined;
  /** 0 … 1, default 1. */
  confidence?: number | undefined;
  /** Ids of memories that the caller may read. */
  evidence?: readonly string[] | undefined;
  /** Lowers the trust; a higher level than the writer's own has no effect. */
  trust?: Trust | undefined;
  /** Default: replace if the attribute holds one value, else add. */
  mode?: FactMode | undefined;
}

export interface PutFact {
  fact: Fact;
  isNew: boolean;
}

/**
 * States a fact, unless that is off the record. The statement is weighed against what is known, see `decideFact`; a fact that says the
 * same is not stored twice. Throws NOT_FOUND for evidence that the caller may not read, and ATTRIBUTE_HOLDS_MANY.
 */
export async function putFact(engine: Engine, caller: Caller, given: GivenFact): Promise<PutFact> {
  const also = await engine.tenants.alsoRedacted(scopeOf(caller));
  const words = toWords(given, also);
  checkTimes(given);
  if (await isOffTheRecord(engine, caller))
    return { fact: await unstoredFact(engine, caller, given, words), isNew: false };
  return mutate(engine, caller, async (tables, now) => {
    const attribute = await findAttribute(tables, words.attribute);
    const mode = given.mode ?? (attribute.single ? 'replace' : 'add');
    if (mode === 'replace' && !attribute.single) {
      throw new Problem(
        'ATTRIBUTE_HOLDS_MANY',
        `"${words.attribute}" holds many values, so one does not replace another. Use mode add, and retract the other fact.`,
      );
    }
    const evidence = await readEvidence(tables, given.evidence ?? [], now);
    const fact = toNewFact(words, attribute, now);
    const origin = originOfWrite(caller, { kind: noteKind }, { trust: given.trust });
    const statement: Statement = {
      valueKey: fact.valueKey,
      validFrom: given.validFrom ?? now,
      isUndated: given.validFrom === undefined,
      assertedAt: given.validFrom === undefined ? now : null,
      endsAt: given.validTo ?? null,
      trust: lowestTrust(origin.trust, ...evidence.map(({ trust }) => trust)),
      confidence: given.confidence ?? 1,
      replaces: mode === 'replace',
      isStated: evidence.length === 0,
    };
    checkTimes({ validFrom: statement.validFrom, validTo: given.validTo });
    const { put, mutations } = await storeStatement(tables, {
      fact,
      statement,
      evidence,
      now,
      single: attribute.single,
    });
    return { result: put, mutations };
  });
}

/** What a fact would be that is off the record: nothing confirms it. */
async function unstoredFact(engine: Engine, caller: Caller, given: GivenFact, words: Words): Promise<Fact> {
  const now = engine.clock.now();
  const attribute = await engine.store.read(scopeOf(caller), (tables) => findAttribute(tables, words.attribute));
  const { trust } = originOfWrite(caller, { kind: noteKind }, { trust: given.trust });
  const validTo = given.validTo ?? null;
  const claim = {
    standing: 'unconfirmed',
    trust,
    confidence: given.confidence ?? 1,
    replaces: false,
    isStated: true,
  } as const;
  const state = {
    ...claim,
    validFrom: given.validFrom ?? now,
    isUndated: given.validFrom === undefined,
    assertedAt: null,
    endsAt: validTo,
    validTo,
    supersededBy: null,
    isDisputed: false,
  };
  return { ...toNewFact(words, attribute, now), id: nilId, evidence: [], state, stateAt: now };
}

interface StatementToStore {
  /** What is recorded if no fact says the same. */
  fact: NewFact;
  statement: Statement;
  evidence: readonly Memory[];
  now: Date;
  /** Whether the attribute holds one value. */
  single: boolean;
}

export async function storeStatement(
  tables: Tables,
  { fact, statement, evidence, now, single }: StatementToStore,
): Promise<{ put: PutFact; mutations: Mutation[] }> {
  const facts = await (single ? tables.facts.ofKeys(fact) : tables.facts.ofValues(fact, [fact.valueKey]));
  const decision = decideFact(statement, facts.map(toTimelineFact));
  const known = facts.find(({ id }) => id === decision.factId);
  const memoryIds = evidence.map(({ id }) => id);
  const newIds = memoryIds.filter((id) => !known?.evidence.includes(id));
  const counts = newIds.map((id) => countStatements(evidence.find((memory) => memory.id === id)?.content ?? ''));
  if (known !== undefined && isSameClaim(toClaim(known.state), decision.claim)) {
    if (newIds.length === 0) return { put: { fact: known, isNew: false }, mutations: [] };
    const { at } = await nextMoment(tables, now);
    tables.facts.addEvidence(known.id, newIds, at, counts);
    const put = { fact: { ...known, evidence: [...known.evidence, ...newIds] }, isNew: false };
    return { put, mutations: [evidenceMutation(known, decision)] };
  }
  const moment = await nextMoment(tables, now);
  const { change, reason, claim } = decision;
  const own = { fact: known ?? { ...fact, recordedAt: moment.at }, claim, change, reason };
  const stored = recordChange(tables, facts, own, moment);
  if (newIds.length > 0) tables.facts.addEvidence(stored.fact.id, newIds, moment.at, counts);
  const put = { fact: { ...stored.fact, evidence: [...stored.fact.evidence, ...newIds] }, isNew: known === undefined };
  return { put, mutations: stored.mutations };
}

function evidenceMutation({ id }: Fact, { change, reason }: Decision): Mutation {
  return { target: factTarget(id), preEtag: null, postEtag: null, contentHash: null, details: { change, reason } };
}

interface Words {
  subject: string;
  attribute: string;
  value: string;
}

function toWords({ subject, attribute, value }: Words, also: readonly OptionalLabel[]): Words {
  return {
    subject: toWord('subject', subject, also),
    attribute: toWord('attribute', attribute, also),
    value: toWord('value', value, also),
  };
}

/** Returns a part of a fact without secrets. Throws INVALID_REQUEST if it is too long. */
export function toWord(name: keyof Words, text: string, also: readonly OptionalLabel[]): string {
  const word = redact(toContent(text, name), also).text.trim();
  if ([...word].length <= factLimits[name]) return word;
  throw new Problem('INVALID_REQUEST', `"${name}" must have 1 to ${factLimits[name]} characters.`);
}

export function toNewFact(words: Words, { key, comparison }: KnownAttribute, now: Date): NewFact {
  return {
    id: uuidv7(now.getTime()),
    ...words,
    subjectKey: textKey(words.subject),
    attributeKey: key,
    valueKey: valueKey(words.value, comparison),
    text: `${words.subject}: ${attributeKey(words.attribute)} ${words.value}`,
    recordedAt: now,
  };
}

function checkTimes({ validFrom, validTo }: Pick<GivenFact, 'validFrom' | 'validTo'>): void {
  if (validFrom !== undefined) checkDate('valid_from', validFrom);
  if (validTo !== undefined) checkDate('valid_to', validTo);
  if (validFrom === undefined || validTo === undefined || validFrom < validTo) return;
  throw new Problem('INVALID_REQUEST', '"valid_to" must be later than "valid_from", which is now if it is not given.');
}

async function readEvidence(tables: Tables, ids: readonly string[], now: Date): Promise<Memory[]> {
  const unique = [...new Set(ids)];
  if (unique.length === 0) return [];
  const found = new Map((await tables.memories.getMany(unique, now)).map((memory) => [memory.id, memory]));
  return unique.map((id) => {
    const memory = found.get(id);
    if (memory === undefined) throw new Problem('NOT_FOUND', `There is no memory ${id} that could be evidence.`);
    return memory;
  });
}
