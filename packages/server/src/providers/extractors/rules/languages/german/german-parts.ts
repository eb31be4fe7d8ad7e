import { phrases, toPattern } from '../../phrases.js';
import { namePattern, type RuleMatch, ruleTable } from '../../rule.js';
import { workRoles } from './german-words.js';

/** Repeated up to four times in patterns: V8 unrolls fewer repetitions, which takes four times as long to compile. */
export const adverb = phrases(
  'auch, gerade, derzeit, zurzeit, momentan, jetzt, schon, noch, eigentlich, wirklich, sehr, total, echt, absolut, immer, meistens, normalerweise, hauptsächlich, ursprünglich, inzwischen, mittlerweile, seit kurzem, übrigens, ja, selbst, nun, persönlich, überhaupt, gar, leider, einfach, aktuell',
);

export function first(verbs: string): string {
  return `(?:ich(?:\\s${adverb}){0,4} ${verbs}|${verbs} ich)(?:\\s${adverb}){0,4}`;
}

export const toRules = ruleTable({
  bin: first('bin'),
  habe: first("hab(?:e|')?"),
  wohne: first('(?:wohne|lebe)'),
  arbeite: first('(?:arbeite|schaffe)'),
  mag: first('(?:mag|liebe|hasse|verabscheue|genieße)'),
  adverb: `(?:\\s${adverb}){0,4}`,
  bitte: '(?:(?:bitte|und|also|ab jetzt)[ ,]+)*',
  count: '(?:ein(?:e|en)?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|\\d{1,2})',
  mein: '(?:mein|meine|unser|unsere)',
  name: namePattern(
    phrases(
      'und, aber, oder, aus, von(?! der), mit, die, das, ist, bin, bei, als, ich, wir, für, nicht, seit, jetzt, bitte, so, weil, wenn, hat, sagt, kommt, mag, im, in, am, zu, ein, eine, er, sie, es, gut, gerade, auch',
    ),
  ),
  value: '(?<value>.+)',
});

const shown = toPattern(
  /\b(?:dies\p{L}*|jenes?|dein\p{L}*|hier|oben|unten|gerade eben|heute|diesmal|das du|die du|den du|was du|euch|dir|dich)\b/iu,
);

const pronoun = toPattern(
  /^(?:(?:[Ee]s|das|ihn|sie|ihr|dich|euch|so|wie|was|wenn|dass|beide|beides|alles|nichts|etwas|eins)(?=$|[,.]|\s(?!\p{Lu}|\p{L}+e[nrs]? \p{Lu}))|nicht mehr\b|(?:de[rmn]|die|das) (?:Idee|Vorschlag|Text|Bild|Titel|Version|Antwort|Entwurf|Ton|Stil|Farbe|Design|Art|Weise|Satz|Anfang|Ende|Schluss|ersten?|zweiten?|dritten?|letzten?|neuen?|alten?)\b)/u,
);

export const role = toPattern(
  `^(?:${phrases(workRoles)}|\\p{L}{3,}(?:istin|ologe|ologin|erin|antin|entin|eurin|itekt))\\b`,
);

export function isTaste({ value, text }: RuleMatch): boolean {
  return value !== '' && !pronoun.test(value) && !shown.test(text);
}

export function outlives({ text }: RuleMatch): boolean {
  return !shown.test(text);
}

export function isName(match: RuleMatch): boolean {
  return (
    !match.lowerCaseWriter &&
    match.value.split(' ').every((word) => /^\p{Lu}|^\p{Lo}|^(?:von|van|der|de|zu)$/u.test(word)) &&
    /\p{Ll}|\p{Lo}/u.test(match.text)
  );
}

export function isPersonName(match: RuleMatch): boolean {
  return isName(match) && !role.test(match.value);
}
