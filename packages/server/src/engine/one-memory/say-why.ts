import type { RowPlace } from '../memories/recall/place-row.js';
import { sayTruth } from './say-truth.js';
import type { KeptOutBy, Why } from './why-recalled.js';

interface Asked {
  limit: number;
  bySession: boolean;
}

/** What of a memory a condition is about. */
const traits = new Map<KeptOutBy, string>([
  ['scopes', 'scope'],
  ['namespaces', 'namespace'],
  ['kinds', 'kind'],
  ['notKinds', 'kind'],
  ['tags', 'tags'],
  ['sessionIds', 'session'],
  ['occurredFrom', 'time'],
  ['occurredTo', 'time'],
]);

function sayTrait(name: KeptOutBy): string {
  return traits.get(name) ?? name;
}

/** Says why a memory is among the results or is not, for people. */
export function sayWhy(why: Omit<Why, 'message'>, { limit, bySession }: Asked): string {
  const { rank = 0, keptOutBy, copyOf, ranking, truth } = why;
  const result = bySession ? 'session' : 'result';
  switch (why.reason) {
    case 'returned':
      return `It is in ${result} ${rank}, ${sayFound(why)}.`;
    case 'filter':
      return `The request leaves it out by its ${[...new Set(keptOutBy.map(sayTrait))].join(' and its ')}.`;
    case 'superseded':
      return `It is no longer true: ${sayTruth(truth)}. Set \`include_superseded\`, or ask about the past.`;
    case 'no_session':
      return 'It belongs to no session, and sessions were asked for.';
    case 'candidates':
      return 'Its partition is too large for memory, and neither words nor meaning made it a candidate there.';
    case 'threshold':
      return sayMiss(ranking);
    case 'copy':
      return `It is shown as ${result} ${rank}, as a copy of ${copyOf?.id} (${copyOf?.reason}).`;
    case 'rank':
      return sayRank(rank, limit, bySession, ranking?.matches ?? 0);
    case 'token_budget':
      return `It would be in ${result} ${rank}, but the texts up to it do not fit into \`token_budget\`.`;
  }
}

function sayFound({ ranking, truth, standsFor }: Omit<Why, 'message'>): string {
  const arms = foundBy(ranking);
  const found = [
    ...(arms.length === 0 ? [] : [`found by ${arms.join(' and ')}`]),
    ...(standsFor.length === 0 ? [] : [`in place of ${standsFor.join(', ')}, which is no longer true`]),
    sayTruth(truth),
  ];
  return found.filter((part) => part !== undefined).join(', ');
}

/** Returns which arms of recall found it. */
export function foundBy(ranking: RowPlace | undefined): ('words' | 'meaning')[] {
  if (ranking === undefined) return [];
  const { explanation, cosineFloor } = ranking;
  const isNear = cosineFloor !== null && (explanation.cosine ?? 0) >= cosineFloor;
  return [...(explanation.lexical > 0 ? ['words' as const] : []), ...(isNear ? ['meaning' as const] : [])];
}

function sayMiss(ranking: RowPlace | undefined): string {
  const noWord = 'It shares no word with the query';
  if (ranking === undefined || ranking.cosineFloor === null) return `${noWord}, and meanings were not compared.`;
  const { cosine } = ranking.explanation;
  if (cosine === null) return `${noWord}, and it has no vector yet.`;
  const [is, needed] = [cosine.toFixed(2), ranking.cosineFloor.toFixed(2)];
  return `${noWord}, and its similarity ${is} is below the threshold of ${needed}.`;
}

function sayRank(rank: number, limit: number, bySession: boolean, matches: number): string {
  if (!bySession) return `It is number ${rank} of ${matches} matches, and \`limit\` is ${limit}.`;
  if (rank <= limit) return `Session ${rank} shows others of its memories, which match better.`;
  return `Its session is number ${rank}, and \`limit\` is ${limit}.`;
}
