import type { FactKind } from '../../../ports/extractor.js';
import { phrases } from './phrases.js';

/** How a clause begins; rules are tried only on clauses with their opening. */
export type Opening = 'i' | 'my' | 'we' | 'order' | 'other';

export interface RuleMatch {
  /** The part that a correction would replace; empty if the rule does not define one. */
  value: string;
  /** The clause from its point on. */
  text: string;
  /** The user never writes capitals, so names cannot be recognized by them. */
  lowerCaseWriter: boolean;
}

export interface Rule {
  id: string;
  kind: FactKind;
  /** Confidence before hedges and emphasis. */
  base: number;
  opening: Opening;
  /** Matches from the point of the clause on; the groups `value` and `role` have a meaning. */
  pattern: RegExp;
  accepts?: ((match: RuleMatch) => boolean) | undefined;
  /** Only one value can be true at a time, so a new one replaces the old one. `%` stands for the group `role`. */
  slot?: string | undefined;
  /** Describes past events: dates without a year are in the past. */
  past?: boolean | undefined;
  /** Its dates recur every year. */
  yearly?: boolean | undefined;
}

type RuleOptions = Pick<Rule, 'accepts' | 'slot' | 'past' | 'yearly'>;

/** `[id, base, pattern, options]`: the format of the rule tables. */
type RuleLine = [id: string, base: number, pattern: string, options?: RuleOptions];

const nameWord = "\\p{L}[\\p{L}\\p{M}'’-]{0,30}\\.?";
const notInNames = phrases(
  'and, but, or, from, with, who, in, at, on, so, is, was, i, for, to, as, by, not, because, without, not, the, btw, by the way, now, please, instead, then, when, if, has, keeps, says, back, later, spelled, misspelled',
);

/** Abbreviations used in patterns, in braces. */
const parts: Record<string, string> = {
  im: "i(?:'?m| am)(?! not sure)",
  ive: "i(?:'?ve| have)?",
  dont: "(?:do not|don'?t)",
  cant: "(?:can not|cannot|can'?t)",
  adverb: `(?:\\s${phrases('also, just, really, currently, still, now, already, originally, mostly, basically, actually, absolutely, personally, definitely, truly, generally, strongly, much, recently, finally, all, both, quite, so, very, very much, always, usually, typically, normally, do')}){0,2}`,
  name: `(?<value>(?!${notInNames}\\b)${nameWord}(?: (?!${notInNames}\\b)${nameWord}){0,3})`,
  value: '(?<value>.+)',
  count: '(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|\\d{1,2})',
};

export function toRules(kind: FactKind, opening: Opening, lines: RuleLine[]): Rule[] {
  return lines.map(([id, base, pattern, options]) => ({
    id: `${kind}.${id}`,
    kind,
    base,
    opening,
    pattern: new RegExp(`^(?:${expand(pattern)})`, 'iu'),
    ...options,
  }));
}

function expand(pattern: string): string {
  return pattern.replace(/\{([a-z]+)\}/g, (whole, name: string) => parts[name] ?? whole);
}

/** True if the value starts with a capital, or its author uses none. Text in all capitals does not count. */
export function isProper({ value, text, lowerCaseWriter }: RuleMatch): boolean {
  if (lowerCaseWriter) return !/^(?:the|an?|my|your|this|that|to|be|it|not|so|in|on|at)\b/.test(value);
  return /^(?:the )?[\p{Lu}\p{Lo}]/u.test(value) && /\p{Ll}|\p{Lo}/u.test(text);
}

const pointing =
  /\b(?:this|that|these|those|your) (?:function|file|code|method|class|line|snippet|example|paragraph|sentence|section|text|email|error|bug|script|query|one|version|answer|draft|image|picture|page|loop|variable|column|table|test|word|title|list|idea|approach|output|result|reply|verse|part|step|task|option)\b|\b(?:here|above|below|right now|for now|this once|this time|for today)\b/iu;
const pronoun =
  /^(?:it|this|that|these|those|you|your|yours|him|her|them|how|what|where|one|myself|yourself|itself|whatever|whichever|the wrong|wrong|something|anything|everything|nothing|either|neither|both|option \w+|(?:the|that|this)? ?(?:first|second|third|fourth|last|latter|former|other|next|new|old|original|previous|same|best|shorter|longer|simpler)(?: (?:one|option|version|idea|approach|choice|suggestion|verse|line|draft))?)\b(?! when\b)/iu;

/** True if the value names its object and the object outlives the current task. */
export function namesLastingObject({ value, text }: RuleMatch): boolean {
  return value !== '' && !pronoun.test(value) && !pointing.test(text);
}

export function outlivesTask({ text }: Pick<RuleMatch, 'text'>): boolean {
  return !pointing.test(text);
}
