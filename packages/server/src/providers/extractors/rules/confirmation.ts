import type { Candidate } from './candidate.js';
import { matchClause } from './match-clause.js';
import { isInjection, isUnmeant } from './refusals.js';
import { sentencesOf } from './split-clauses.js';
import { straighten, type UserTurn } from './user-turn.js';

const yes =
  /^(?:(?:yes|yep|yup|yeah|correct|exactly|right|indeed|true|absolutely|definitely|that'?s (?:right|correct|true|it)|you(?:'?re| are) right|i (?:do|am))[\s,.!]*){1,4}$/iu;
const toThePoint =
  /^(?:so|ok|okay|just to (?:confirm|check|be sure)|to confirm|got it|i see|right)[,:]? |,? (?:right|correct|is that (?:right|correct)|yes|no|don'?t you|aren'?t you)$/giu;
const longestRead = 2000;

/**
 * What the assistant supposed of the user and the user says yes to, and nothing but yes: in the assistant's words.
 * "You" is read as "I" to find the rule; the text stays as it was said.
 */
export function readConfirmation(
  turn: UserTurn,
  assistant: { content: string; message: number },
): Candidate | undefined {
  const [first] = sentencesOf(turn.own);
  if (first === undefined || !yes.test(first.text)) return undefined;
  const asked = sentencesOf(straighten(assistant.content.slice(-longestRead).toWellFormed())).at(-1)?.text ?? '';
  if (isInjection(asked) || isUnmeant(asked)) return undefined;
  const said = asked.replace(/[?.!\s]+$/u, '').replace(toThePoint, '');
  if (!/^you/iu.test(said)) return undefined;
  const mine = said
    .replace(/\byou(?:'re| are)\b/giu, "I'm")
    .replace(/\byour\b/giu, 'my')
    .replace(/\byou\b/giu, 'I');
  const { candidate } = matchClause(mine, {
    lowerCaseWriter: false,
    message: turn.message,
    sentence: -1,
    request: 'none',
  });
  if (candidate === undefined) return undefined;
  return {
    ...candidate,
    text: said,
    messages: [assistant.message, turn.message],
    weights: [{ reason: "the assistant's words, confirmed", change: -0.1 }],
  };
}
