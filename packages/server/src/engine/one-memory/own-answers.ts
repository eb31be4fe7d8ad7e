import { builtInAttributes } from '../facts/built-in-attributes.js';
import { type Claim, readClaims, topicOf } from '../memories/analysis/claims.js';
import { isLower } from '../trust.js';
import type { Judged } from './judge.js';
import type { Member } from './member.js';
import { isOwn } from './reading.js';

const longestQuestion = 500;

/** Attributes that hold one value, by what they are called: "employer" and "works at" are the same. */
const attributesByTopic = new Map<string, Set<string>>();
for (const { name, single, synonyms } of builtInAttributes) {
  if (!single) continue;
  for (const word of [name, ...synonyms]) {
    const topic = topicOf(word);
    attributesByTopic.set(topic, (attributesByTopic.get(topic) ?? new Set()).add(name));
  }
}

/**
 * Puts what the user stated in front of what tools and outside sources say, if the query asks for nothing else: "Who is my doctor?" is
 * answered by "My doctor is …" first, whatever a page says about doctors. The order of the others stays.
 */
export function withOwnAnswersFirst(
  member: Member,
  text: string | undefined,
  found: readonly Judged[],
): readonly Judged[] {
  const first = found.findIndex(({ memory }) => isLower(memory.trust, 'agent'));
  const asked = text === undefined || first === -1 ? '' : topicOf(text.slice(0, longestQuestion));
  if (asked === '') return found;
  const answers = found.filter((one, place) => place > first && isAnswer(member, one, asked));
  if (answers.length === 0) return found;
  const best = found[first]?.score ?? 0;
  const moved = answers.map((one) => ({ ...one, score: Math.max(one.score, best) }));
  const others = found.filter((one) => !answers.includes(one));
  return [...others.slice(0, first), ...moved, ...others.slice(first)];
}

function isAnswer(member: Member, { memory, truth }: Judged, asked: string): boolean {
  if (isLower(memory.trust, 'user') || truth?.since !== undefined || !isOwn(member, memory)) return false;
  return readClaims(memory.content, 'user').some((claim) => isAbout(claim, asked));
}

function isAbout(claim: Claim, asked: string): boolean {
  if (!claim.isOfUser || claim.isNegated) return false;
  const topic = topicOf(claim);
  const [wanted, stated] = [attributesByTopic.get(asked), attributesByTopic.get(topic)];
  return topic === asked || [...(wanted ?? [])].some((name) => stated?.has(name));
}
