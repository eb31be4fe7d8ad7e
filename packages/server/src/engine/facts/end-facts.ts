import type { Fact } from '../../ports/facts.js';
import type { Trust } from '../../ports/memory-origin.js';
import type { Tables } from '../../ports/store.js';
import type { Mutation } from '../audit/audit-record.js';
import { isLower } from '../trust.js';
import { findAttribute } from './attributes.js';
import { toClaim } from './fact-timeline.js';
import { nextMoment, type OwnChange, recordChange } from './record-change.js';

interface Ending {
  /** Of the one who says that they are over. */
  trust: Trust;
  at: Date;
  reason: string;
}

/**
 * Ends facts, and takes back those that are unconfirmed or have not begun. Leaves alone what is over already, what somebody more
 * trusted said, and what never ends without another value, such as a name.
 */
export async function endFacts(
  tables: Tables,
  facts: readonly Pick<Fact, 'id'>[],
  ending: Ending,
  now: Date,
): Promise<Mutation[]> {
  const mutations: Mutation[] = [];
  for (const { id } of facts) {
    const [fact] = await tables.facts.get([id], null);
    if (fact === undefined || isLower(ending.trust, fact.state.trust) || isLower(ending.trust, 'agent')) continue;
    const own = await toChange(tables, fact, ending);
    if (own === undefined) continue;
    const group = await tables.facts.ofValues(fact, [fact.valueKey]);
    mutations.push(...recordChange(tables, group, own, await nextMoment(tables, now)).mutations);
  }
  return mutations;
}

async function toChange(tables: Tables, fact: Fact, { at, reason }: Ending): Promise<OwnChange | undefined> {
  const { standing, validFrom, validTo } = fact.state;
  const claim = toClaim(fact.state);
  if (standing === 'retracted') return undefined;
  if (standing === 'unconfirmed' || validFrom > at) {
    return { fact, claim: { ...claim, standing: 'retracted' }, change: 'retracted', reason };
  }
  if (validTo !== null && validTo <= at) return undefined;
  const { endsAlone } = await findAttribute(tables, fact.attribute);
  // What begins and ends at the same time would never have been true.
  const endsAt = at > validFrom ? at : new Date(validFrom.getTime() + 1);
  return endsAlone ? { fact, claim: { ...claim, endsAt }, change: 'amended', reason } : undefined;
}
