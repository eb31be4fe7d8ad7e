import type { FactKind } from '../../../ports/extractor.js';
import { phrases } from './phrases.js';

/** How a clause begins; rules are tried only on clauses that begin their way. */
export type Opening = 'i' | 'my' | 'we' | 'order' | 'other';

export interface RuleMatch {
  /** The part that a correction would replace; empty where the rule names none. */
  value: string;
  /** The clause from its point on. */
  text: string;
  /** The user never writes capitals, so a name cannot be told by them. */
  lowerCaseWriter: boolean;
}

export interface Rule {
  id: string;
  kind: FactKind;
  /** Confidence before hedges and emphasis. */
  base: number;
  opening: Opening;
  /** Matches from the point of the clause on; groups `value` and `role` have a meaning. */
  pattern: RegExp;
  accepts?: ((match: RuleMatch) => boolean) | undefined;
  /** Where one value holds at a time, a new one replaces the old. `%` stands for the group `role`. */
  slot?: string | undefined;
  /** Says what happened: dates without a year are past. */
  past?: boolean | undefined;
  /** Dates in it come again each year. */
  yearly?: boolean | undefined;
}

type RuleOptions = Pick<Rule, 'accepts' | 'slot' | 'past' | 'yearly'>;

/** `[id, base, pattern, options]`: the form in which tables of rules are written. */
export type RuleLine = [id: string, base: number, pattern: string, options?: RuleOptions];

const nameWord = "\\p{L}[\\p{L}\\p{M}'’-]{0,30}\\.?";
const notInNames = phrases(
  'and, but, or, from, with, who, in, at, on, so, is, was, i, for, to, as, by, not, because, without, not, the, btw, by the way, now, please, instead, then, when, if, has, keeps, says, back, later, spelled, misspelled',
);

/** Abbreviations that patterns are written with, in braces. */
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

/** Begins with a capital, or comes from somebody who uses none. Shouting proves nothing. */
export function isProper({ value, text, lowerCaseWriter }: RuleMatch): boolean {
  if (lowerCaseWriter) return !/^(?:the|an?|my|your|this|that|to|be|it|not|so|in|on|at)\b/.test(value);
  return /^(?:the )?[\p{Lu}\p{Lo}]/u.test(value) && /\p{Ll}|\p{Lo}/u.test(text);
}

const pointing =
  /\b(?:this|that|these|those|your) (?:function|file|code|method|class|line|snippet|example|paragraph|sentence|section|text|email|error|bug|script|query|one|version|answer|draft|image|picture|page|loop|variable|column|table|test|word|title|list|idea|approach|output|result|reply|verse|part|step|task|option)\b|\b(?:here|above|below|right now|for now|this once|this time|for today)\b/iu;
const pronoun =
  /^(?:it|this|that|these|those|you|your|yours|him|her|them|how|what|where|one|myself|yourself|itself|whatever|whichever|the wrong|wrong|something|anything|everything|nothing|either|neither|both|option \w+|(?:the|that|this)? ?(?:first|second|third|fourth|last|latter|former|other|next|new|old|original|previous|same|best|shorter|longer|simpler)(?: (?:one|option|version|idea|approach|choice|suggestion|verse|line|draft))?)\b(?! when\b)/iu;

/** It names its object, and the object outlives the task in hand. */
export function namesLastingObject({ value, text }: RuleMatch): boolean {
  return value !== '' && !pronoun.test(value) && !pointing.test(text);
}

export function outlivesTask({ text }: Pick<RuleMatch, 'text'>): boolean {
  return !pointing.test(text);
}
