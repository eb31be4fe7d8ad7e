/** What a question is about: how things are, how they were, or how they changed. */
export type Tense = 'present' | 'past' | 'change';

const someone = "(?:i|we|you|he|she|they|it|my|our|your|his|her|their|the|there|[a-z]+[’']s)";
/** "Did I tell you …" is about what was said, which may be true now. */
const said = '(?:say|tell|mention|write|note|ask|remember)';
const past = new RegExp(
  [
    String.raw`\b(?:used to|use to|formerly|former|previous|previously|back then|at that time|in the past|originally|no longer)\b`,
    String.raw`\bdid ${someone}(?: [a-z]+)? (?!${said}\b)[a-z]+`,
    String.raw`\b(?:was|were|had) ${someone}\b`,
    String.raw`\b(?:my|our|his|her|their) (?:old|ex|last|first) `,
    String.raw`^(?!.*\b(?:do|does|is|are|should|can|will|must)\b).*\bbefore\b`,
  ].join('|'),
);
const change = new RegExp(
  [
    String.raw`\b(?:changed?|changes|changing|history|over time|timeline|switched?)\b`,
    String.raw`^(?:since )?when (?:did|have|has|was|were)\b`,
    String.raw`^how long\b`,
    String.raw`\b(?:did|said) .*\b${said}\b`,
  ].join('|'),
);
/** More than any question; what is read stays short. */
const mostCharacters = 1000;

/** Words of a question that asks what changed and names nothing. */
const ofAnyChange =
  /^(?:how|what|when|why|which|did|do|does|has|have|had|is|are|was|were|it|that|this|these|those|they|things?|anything|something|everything|else|lately|recently|now|since|then|last|past|over|time|the|my|me|i|about|for|with|in|on|and|so|but|also|tell|show|please|changed?|changes|changing)$/;

/** Whether an English question asks only what changed, such as "How did that change?". `rest` is what it says besides times. */
export function asksWhatChanged(rest: string): boolean {
  const words =
    rest
      .slice(0, mostCharacters)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.some((word) => word.startsWith('chang')) && words.every((word) => ofAnyChange.test(word));
}

/** Returns what an English question is about. Questions in other languages count as questions about the present. */
export function tenseOf(query: string): Tense {
  const text = query.slice(0, mostCharacters).toLowerCase().replaceAll(/\s+/g, ' ').trim();
  if (change.test(text)) return 'change';
  return past.test(text) ? 'past' : 'present';
}
