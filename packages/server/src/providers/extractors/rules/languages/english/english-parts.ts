import { phrases, toPattern } from '../../phrases.js';
import { namePattern, type PatternParts, type RuleMatch, ruleTable } from '../../rule.js';

const notInNames = phrases(
  'and, but, or, from, with, who, in, at, on, so, is, was, i, for, to, as, by, not, because, without, not, the, btw, by the way, now, please, instead, then, when, if, has, keeps, says, back, later, spelled, misspelled',
);

const parts: PatternParts = {
  im: "i(?:'?m| am)(?! not sure)",
  ive: "i(?:'?ve| have)?",
  dont: "(?:do not|don'?t)",
  cant: "(?:can not|cannot|can'?t)",
  adverb: `(?:\\s${phrases('also, just, really, currently, still, now, already, originally, mostly, basically, actually, absolutely, personally, definitely, truly, generally, strongly, much, recently, finally, all, both, quite, so, very, very much, always, usually, typically, normally, do')}){0,2}`,
  name: namePattern(notInNames),
  value: '(?<value>.+)',
  count: '(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|\\d{1,2})',
};

export const toRules = ruleTable(parts);

export const pointing = toPattern(
  /\b(?:this|that|these|those|your) (?:function|file|code|method|class|line|snippet|example|paragraph|sentence|section|text|email|error|bug|script|query|one|version|answer|draft|image|picture|page|loop|variable|column|table|test|word|title|list|idea|approach|output|result|reply|verse|part|step|task|option)\b|\b(?:here|above|below|right now|for now|this once|this time|for today)\b/iu,
);
const pronoun = toPattern(
  /^(?:it|this|that|these|those|you|your|yours|him|her|them|how|what|where|one|myself|yourself|itself|whatever|whichever|the wrong|wrong|something|anything|everything|nothing|either|neither|both|option \w+|(?:the|that|this)? ?(?:first|second|third|fourth|last|latter|former|other|next|new|old|original|previous|same|best|shorter|longer|simpler)(?: (?:one|option|version|idea|approach|choice|suggestion|verse|line|draft))?)\b(?! when\b)/iu,
);

/** True if the value names its object and the object outlives the current task. */
export function namesLastingObject({ value, text }: RuleMatch): boolean {
  return value !== '' && !pronoun.test(value) && !pointing.test(text);
}

export function outlivesTask({ text }: Pick<RuleMatch, 'text'>): boolean {
  return !pointing.test(text);
}
