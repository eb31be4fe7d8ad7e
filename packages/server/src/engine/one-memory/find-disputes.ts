import type { Trust } from '../../ports/memory-origin.js';
import { type Claim, readClaims, type Voice } from '../memories/analysis/claims.js';
import { compareClaims, isExclusive } from '../memories/analysis/contradicts.js';
import { isByAssistant } from '../memories/analysis/spoken-role.js';
import { resourceKind } from '../resources/resource-chunks.js';
import { compareTrust, isLower } from '../trust.js';
import type { Judged } from './judge.js';
import type { Member } from './member.js';
import { isOwn } from './reading.js';

const mostDisputes = 3;
const longestQuote = 200;

/** What a memory says that others may contradict. */
interface Statement {
  id: string;
  trust: Trust;
  claim: Claim;
}

/**
 * Adds what more trusted memories among those that were found say against a memory. Facts know only the attributes of the table, and
 * nothing is learned from files; this compares the statements themselves, whatever they are about. It changes no fact. `say` returns a
 * text as its reader may see it.
 */
export function withDisputes(
  member: Member,
  found: readonly Judged[],
  say: (text: string, id: string) => string,
): readonly Judged[] {
  const shown = found.filter(({ isHidden }) => !isHidden);
  if (!shown.some(({ memory }) => shown.some((other) => isLower(memory.trust, other.memory.trust)))) return found;
  const statements = new Map(shown.map((one) => [one, statementsOf(member, one)]));
  const byKey = new Map<string, Statement[]>();
  for (const [{ truth }, stated] of statements) {
    // What is over contradicts nothing.
    if (truth?.since !== undefined) continue;
    for (const one of stated) byKey.set(one.claim.key, [...(byKey.get(one.claim.key) ?? []), one]);
  }
  return found.map((one) => {
    const known = new Set(one.truth?.disputes.flatMap(({ memoryIds }) => memoryIds));
    const rivals = new Map(
      (statements.get(one) ?? []).flatMap((stated) => rivalsOf(stated, byKey)).map((rival) => [rival.id, rival]),
    );
    const disputes = [...rivals.values()]
      .filter(({ id }) => !known.has(id))
      .map(({ id, trust, claim }) => ({ text: say(claim.text.slice(0, longestQuote), id), trust, memoryIds: [id] }));
    if (disputes.length === 0) return one;
    const truth = one.truth ?? { isCurrent: true, disputes: [] };
    return { ...one, truth: { ...truth, disputes: [...truth.disputes, ...disputes].slice(0, mostDisputes) } };
  });
}

/** Returns the most trusted statements against this one, or none if somebody who is trusted as much says the same. */
function rivalsOf({ claim, trust }: Statement, byKey: ReadonlyMap<string, readonly Statement[]>): Statement[] {
  const compared = (byKey.get(claim.key) ?? [])
    .filter((other) => isLower(trust, other.trust))
    .map((other) => ({ other, result: compareClaims(other.claim, claim) }))
    .filter(({ result }) => result !== 'unrelated')
    .sort((a, b) => compareTrust(b.other.trust, a.other.trust));
  const best = compared.filter(({ other }) => compareTrust(other.trust, compared[0]?.other.trust ?? 'user') === 0);
  return best.some(({ result }) => result === 'same') ? [] : best.map(({ other }) => other);
}

/** Whether a source that is not trusted claims something about the user that nothing contradicts so far. */
export function hasOpenClaims(member: Member, found: readonly Judged[]): boolean {
  return found.some(
    (one) =>
      !one.isHidden &&
      isLower(one.memory.trust, 'agent') &&
      (one.truth?.disputes.length ?? 0) === 0 &&
      statementsOf(member, one).some(({ claim }) => isExclusive(claim)),
  );
}

function statementsOf(member: Member, { memory }: Judged): Statement[] {
  const { id, trust, content } = memory;
  return readClaims(content, voiceOf(member, memory)).map((claim) => ({ id, trust, claim }));
}

/** In the user's memory "I" is the user, but not in a file or in what a tool said. */
function voiceOf(member: Member, memory: Judged['memory']): Voice {
  if (!isOwn(member, memory)) return 'other';
  if (memory.role === 'tool' || memory.kind === resourceKind) return 'record';
  return isByAssistant(memory) ? 'assistant' : 'user';
}
