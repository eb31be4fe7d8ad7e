import type { ConversationMessage } from '../../../ports/extractor.js';
import { maskMaterial } from './mask-material.js';
import { isInjection } from './refusals.js';
import { type Clause, splitClauses } from './split-clauses.js';

/** Nobody types more: longer messages are mostly pasted, and only their beginning and end are the user speaking. */
const longestTyped = 4000;
const longestEdge = 1000;
/** Each clause is matched against every rule. */
const mostClauses = 500;
/** How far into pasted text attempts at manipulation are searched for. */
const longestSearched = 20_000;

/** The user's own statements in a message, without the text they only pass on. */
export interface UserTurn {
  /** Index in the conversation. */
  message: number;
  clauses: Clause[];
  /** All of the user's own text, with straight apostrophes. */
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

/** Returns the first and the last paragraph. */
function edgesOf(content: string): string {
  const [beginning = ''] = content.slice(0, longestEdge).split(/\n\s*\n/u, 1);
  const end =
    content
      .slice(-longestEdge)
      .split(/\n\s*\n/u)
      .at(-1) ?? '';
  return `${beginning}\n\n${end}`;
}

/** Keeps the length, so that positions stay valid. */
export function straighten(text: string): string {
  return text.replace(/[’ʼ´]/g, "'");
}
