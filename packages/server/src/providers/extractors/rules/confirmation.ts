import type { Candidate, Weight } from './candidate.js';
import { matchClause } from './match-clause.js';
import { isInjection, isUnmeant } from './refusals.js';
import { sentencesOf } from './split-clauses.js';
import { straighten, type UserTurn } from './user-turn.js';

const yes =
  /^(?:(?:yes|yep|yup|yeah|correct|exactly|right|indeed|true|absolutely|definitely|that'?s (?:right|correct|true|it)|you(?:'?re| are) right|i (?:do|am))[\s,.!]*){1,4}$/iu;
const toThePoint =
  /^(?:so|ok|okay|just to (?:confirm|check|be sure)|to confirm|got it|i see|right)[,:]? |,? (?:right|correct|is that (?:right|correct)|yes|no|don'?t you|aren'?t you)$/giu;
const longestRead = 2000;

/** An assistant's message, and its index. */
export interface Supposition {
  content: string;
  message: number;
}

/**
 * Returns what the assistant supposed about the user, in the assistant's words, if the user answers with nothing but
 * yes.
 */
export function confirmedWords(turn: UserTurn, assistant: Supposition): string | undefined {
  const [first] = sentencesOf(turn.own);
  if (first === undefined || !yes.test(first.text)) return undefined;
  const asked = sentencesOf(straighten(assistant.content.slice(-longestRead).toWellFormed())).at(-1)?.text ?? '';
  if (isInjection(asked) || isUnmeant(asked)) return undefined;
  const said = asked.replace(/[?.!\s]+$/u, '').replace(toThePoint, '');
  return /^you/iu.test(said) ? said : undefined;
}

/** Reads "you" as "I" to find the rule; the text keeps its original words. */
export function readConfirmation(turn: UserTurn, assistant: Supposition): Candidate | undefined {
  const said = confirmedWords(turn, assistant);
  if (said === undefined) return undefined;
  const { candidate } = matchClause(toUsersVoice(said), {
    lowerCaseWriter: false,
    message: turn.message,
    sentence: -1,
    request: 'none',
  });
  return (
    candidate && {
      ...candidate,
      text: said,
      messages: [assistant.message, turn.message],
      weights: [confirmationWeight],
    }
  );
}

export const confirmationWeight: Weight = { reason: "the assistant's words, confirmed", change: -0.1 };

export function toUsersVoice(said: string): string {
  return said
    .replace(/\byou(?:'re| are)\b/giu, "I'm")
    .replace(/\byour\b/giu, 'my')
    .replace(/\byou\b/giu, 'I');
}
