import type { ConversationMessage } from '../../../ports/extractor.js';
import { maskMaterial } from './mask-material.js';
import { isInjection } from './refusals.js';
import { type Clause, splitClauses } from './split-clauses.js';

/** Nobody types more: what is longer was mostly pasted, and only how it begins and ends is the user speaking. */
const longestTyped = 4000;
const longestEdge = 1000;
/** Each statement is held against every rule. */
const mostClauses = 500;
/** Attempts to steer are looked for this far into what was pasted. */
const longestSearched = 20_000;

/** What the user says in a message, without what they only pass on. */
export interface UserTurn {
  /** Place in the conversation. */
  message: number;
  clauses: Clause[];
  /** All that is the user's own, straight apostrophes. */
  own: string;
  lowerCaseWriter: boolean;
  injects: boolean;
}

export function readUserTurn({ content }: ConversationMessage, place: number): UserTurn {
  const read = (content.length > longestTyped ? edgesOf(content) : content).toWellFormed();
  const own = straighten(maskMaterial(read));
  return {
    message: place,
    clauses: splitClauses(own).slice(0, mostClauses),
    own,
    lowerCaseWriter: !/\p{Lu}/u.test(own),
    injects: isInjection(straighten(content.slice(0, longestSearched))) || isInjection(own),
  };
}

/** The first and the last paragraph. */
function edgesOf(content: string): string {
  const [beginning = ''] = content.slice(0, longestEdge).split(/\n\s*\n/u, 1);
  const end =
    content
      .slice(-longestEdge)
      .split(/\n\s*\n/u)
      .at(-1) ?? '';
  return `${beginning}\n\n${end}`;
}

/** Of equal length, so that places stay. */
export function straighten(text: string): string {
  return text.replace(/[’ʼ´]/g, "'");
}
