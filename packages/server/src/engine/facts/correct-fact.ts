import { Problem, redact } from '@memhall/core';
import type { Fact } from '../../ports/facts.js';
import { mutate } from '../audit/mutate.js';
import { isOffTheRecord } from '../audit/off-the-record.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { noteKind } from '../memories/new-memory.js';
import { originOfWrite } from '../memories/origin-of-write.js';
import { findAttribute } from './attributes.js';
import { checkTrust } from './change-fact.js';
import type { Statement } from './decide-fact.js';
import { toClaim } from './fact-timeline.js';
import { storeStatement, toNewFact, toWord } from './put-fact.js';
import { missingFact } from './read-facts.js';
import { nextMoment, recordChange } from './record-change.js';

export interface Correction {
  value: string;
  /** Why, in the words of the caller. */
  note?: string | undefined;
}

/**
 * Retracts a fact and states another value from the same time on, in one transaction. Returns the fact with the right value, and the
 * retracted one. Off the record, nothing changes. Throws NOT_FOUND, FORBIDDEN, or CONFLICT if the value is the same or the fact was
 * retracted.
 */
export async function correctFact(
  engine: Engine,
  caller: Caller,
  id: string,
  { value, note }: Correction,
): Promise<{ fact: Fact; retracted: Fact }> {
  const also = await engine.tenants.alsoRedacted(scopeOf(caller));
  const word = toWord('value', value, also);
  if (await isOffTheRecord(engine, caller)) {
    const [fact] = await engine.store.read(scopeOf(caller), (tables) => tables.facts.get([id], null));
    if (fact === undefined) throw missingFact(id);
    return { fact, retracted: fact };
  }
  return mutate(engine, caller, async (tables, now) => {
    const [wrong] = await tables.facts.get([id], null);
    if (wrong === undefined) throw missingFact(id);
    const claim = toClaim(wrong.state);
    if (claim.standing === 'retracted')
      throw new Problem('CONFLICT', 'The fact was retracted before. State the value as a new fact.');
    checkTrust(caller, wrong);
    const attribute = await findAttribute(tables, wrong.attribute);
    const right = toNewFact({ subject: wrong.subject, attribute: wrong.attribute, value: word }, attribute, now);
    if (right.valueKey === wrong.valueKey) throw new Problem('CONFLICT', 'The fact says that already.');
    const words = note === undefined ? undefined : redact(note, also).text;
    const retraction = { claim: { ...claim, standing: 'retracted' as const }, change: 'retracted' as const };
    const taken = recordChange(
      tables,
      await tables.facts.ofKeys(wrong),
      { fact: wrong, ...retraction, reason: 'on_request', note: words },
      await nextMoment(tables, now),
    );
    const { validFrom, isUndated, assertedAt, endsAt } = claim;
    const statement: Statement = {
      ...{ valueKey: right.valueKey, validFrom, isUndated, assertedAt, endsAt },
      trust: originOfWrite(caller, { kind: noteKind }).trust,
      ...{ confidence: 1, replaces: attribute.single, isStated: true },
    };
    const single = attribute.single;
    const { put, mutations } = await storeStatement(tables, { fact: right, statement, evidence: [], now, single });
    return { result: { fact: put.fact, retracted: taken.fact }, mutations: [...taken.mutations, ...mutations] };
  });
}
