import type { ConversationMessage } from '../../../ports/extractor.js';
import { maskMaterial } from './mask-material.js';
import { isInjection } from './refusals.js';
import { type Clause, splitClauses } from './split-clauses.js';

/** More of a message is not read: nobody types it. */
export const longestRead = 20_000;

/** Nor more statements than this: each is held against every rule. */
const mostClauses = 500;

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

export function readUserTurn(message: ConversationMessage, place: number): UserTurn {
  const read = message.content.slice(0, longestRead).toWellFormed();
  const own = straighten(maskMaterial(read));
  return {
    message: place,
    clauses: splitClauses(own).slice(0, mostClauses),
    own,
    lowerCaseWriter: !/\p{Lu}/u.test(own),
    injects: isInjection(straighten(read)),
  };
}

/** Of equal length, so that places stay. */
export function straighten(text: string): string {
  return text.replace(/[’ʼ´]/g, "'");
}
