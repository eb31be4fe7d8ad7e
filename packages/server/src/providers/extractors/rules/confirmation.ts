import type { Candidate, Weight } from './candidate.js';
import { languageOf } from './languages/language-of.js';
import { languages } from './languages/languages.js';
import { matchClause } from './match-clause.js';
import { isInjection, isUnmeant } from './refusals.js';
import { sentencesOf } from './split-clauses.js';
import { straighten, type UserTurn } from './user-turn.js';

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
  if (first === undefined || !languages.some(({ confirmation }) => confirmation.yes.test(first.text))) return undefined;
  const asked = sentencesOf(straighten(assistant.content.slice(-longestRead).toWellFormed())).at(-1)?.text ?? '';
  if (isInjection(asked) || isUnmeant(asked)) return undefined;
  const { aside, addressed } = languageOf(asked).confirmation;
  const said = asked.replace(/^¿|[?.!\s]+$/gu, '').replace(aside, '');
  return addressed.test(said) ? said : undefined;
}

/** Reads "you" as "I" to find the rule; the text keeps its original words. */
export function readConfirmation(turn: UserTurn, assistant: Supposition): Candidate | undefined {
  const said = confirmedWords(turn, assistant);
  if (said === undefined) return undefined;
  const language = languageOf(said, languageOf(assistant.content.slice(-longestRead)));
  const { candidate } = matchClause(language.confirmation.toUsersVoice(said), {
    language,
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
