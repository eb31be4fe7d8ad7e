import { phrases, toPattern } from '../phrases.js';
import type { Rule } from '../rule.js';
import { type Language, type LanguageCode, toSet } from './language.js';

/**
 * The words of a language from which its patterns are made. Lists are separated by commas, as in `phrases`; sets by white
 * space; the rest are sources of patterns.
 */
interface LanguageWords {
  code: LanguageCode;
  marks: string;
  stopWords: string;
  soleRoles: string;
  rules: readonly Rule[];
  /** Words around a request: "please". */
  polite: string;
  /** What makes a request a question: "can you". */
  askingYou: string;
  remember: string;
  /** "that" after a request to remember, or after a hedge. */
  that: string;
  /** What introduces a note to be kept: "for future reference". */
  notes: string;
  mentions: string;
  corrections: string;
  /** "no" where it contradicts. */
  no: string;
  fillers: string;
  /** How a new statement begins. */
  starter: string;
  /** How a question begins. */
  asking: string;
  coordinators: string;
  tags: string;
  dependentOpening: string;
  condition: string;
  adding: string;
  hedges: string;
  doubted: string;
  hedged: string;
  softened: string;
  emphasised: string;
  valueEnds: string;
  replaced: string;
  states: string;
  concrete: string;
  /** What is refused although it was asked for: sources of patterns. */
  refused: readonly string[];
  corrected: string;
  swapped: string;
  yes: string;
  aside: string;
  addressed: string;
  toUsersVoice: Language['confirmation']['toUsersVoice'];
  turning: string;
  past: string;
  hypothetical: string;
  unmeant: readonly string[];
  withdrawals: string;
  playBegins: string;
  playEnds: string;
  inverted?: RegExp;
  calendar: readonly [string, string][];
}

const after = '(?:[\\s,:;.!…–—-]+|$)';

/** Builds a language from its words. The shape of its sentences is that of English; only the words differ. */
export function toLanguage(words: LanguageWords): Language {
  const anyOf = (list: string) => toPattern(`\\b${phrases(list)}\\b`);
  const starter = phrases(words.starter);
  const coordinator = phrases(words.coordinators);
  const polite = `(?:${phrases(words.polite)}[\\s,]+)*`;
  const content = `(?:\\s*[:–—]\\s*|\\s*,?\\s+(?:${words.that})\\s*|\\s*,\\s*(?=${starter}\\b))`;
  const remember = `[¿¡]*${polite}(?:${phrases(words.askingYou)}\\s+)?${polite}${phrases(words.remember)}(?:[\\s,]+${phrases(words.polite)})*${content}`;
  return {
    code: words.code,
    marks: toSet(`${words.marks} ${words.stopWords}`),
    stopWords: toSet(words.stopWords),
    soleRoles: toSet(words.soleRoles),
    rules: words.rules,
    rulesFor: () => words.rules,
    leads: [
      [toPattern(remember, 'iuy'), { request: 'remember' }],
      [toPattern(`${phrases(words.notes)}${after}(?:(?:${words.that})\\s*)?`, 'iuy'), { request: 'remember' }],
      [toPattern(`${phrases(words.mentions)}${after}`, 'iuy'), { request: 'mention' }],
      [toPattern(`(?:${phrases(words.corrections)}|${words.no})${after}`, 'iuy'), { corrects: true }],
      [toPattern('(?:[-*•]|\\d{1,2}[.)])\\s+', 'iuy'), {}],
      [toPattern(`[¡¿]*${phrases(words.fillers)}${after}`, 'iuy'), {}],
    ],
    clauses: {
      joints: toPattern(
        `(?:\\s*(?:[,;]|:)\\s+(?:${coordinator}\\s+)?|\\s+[–—-]{1,2}\\s+|\\s+${coordinator}\\s+)(?=${starter}\\b)`,
        'giu',
      ),
      questionJoints: toPattern(
        `\\s*[,;:–—]?\\s+(?=¿)|\\s*[,;:–—]\\s+(?:${coordinator}\\s+)?(?=${phrases(words.asking)}\\b)|\\s+${coordinator}\\s+(?=${phrases(words.asking)}\\b)`,
        'giu',
      ),
      tagQuestion: toPattern(`[,\\s]¿?${phrases(words.tags)}\\s*\\?+$`),
      dependentOpening: toPattern(`^(?:${words.dependentOpening})`),
      condition: toPattern(`^(?:${words.condition})`),
      adding: toPattern(`^,? ?(?:${words.adding})$`),
    },
    hedgeBefore: toPattern(`^(?:${coordinator} )?${phrases(words.hedges)}(?:,? (?:${words.that})\\s*|[, ]+)`),
    certainty: {
      doubted: anyOf(words.doubted),
      hedged: anyOf(words.hedged),
      softened: anyOf(words.softened),
      emphasised: anyOf(words.emphasised),
    },
    valueEnd: toPattern(`[,;(]|[.!?…]+$|\\s${phrases(words.valueEnds)}(?=\\s|$)`),
    replaced: toPattern(`,? (?:${words.replaced}) (?<old>[^,.;!?]{1,60})$`),
    requested: {
      states: toPattern(`${words.states}|[:=]`),
      concrete: toPattern(words.concrete),
      refused: words.refused.map((source) => toPattern(source)),
      introduced: toPattern(`(?:${words.that}|[:,–—-])\\s*$`),
      askingYou: anyOf(words.askingYou),
    },
    correction: { corrected: toPattern(`^${words.corrected}$`), swapped: toPattern(`^${words.swapped}$`) },
    confirmation: {
      yes: toPattern(`^(?:${phrases(words.yes)}[\\s,.!]*){1,4}$`),
      aside: toPattern(words.aside, 'giu'),
      addressed: toPattern(`^(?:${words.addressed})`),
      toUsersVoice: words.toUsersVoice,
    },
    turning: anyOf(words.turning),
    past: anyOf(words.past),
    unmeant: [
      toPattern(
        `^[¡¿]*(?:${phrases(`${words.coordinators}, ${words.fillers}`)}[, ]+)*[¡¿]*${phrases(words.hypothetical)}\\b`,
      ),
      ...words.unmeant.map((source) => toPattern(source)),
    ],
    withdrawal: toPattern(
      `^(?:${phrases(`${words.fillers}, ${words.corrections}`)}[,.!… ]+)*${phrases(words.withdrawals)}(?=$|[^\\p{L}\\p{N}-])`,
    ),
    playBegins: toPattern(words.playBegins),
    playEnds: toPattern(words.playEnds),
    inverted: words.inverted,
    calendar: words.calendar.map(([pattern, english]) => [toPattern(pattern, 'giu'), english]),
  };
}
