import { phrases, toPattern } from '../../phrases.js';
import { namePattern, type RuleMatch, ruleTable } from '../../rule.js';
import { workRoles } from './spanish-words.js';

/** Repeated up to four times in patterns: V8 unrolls fewer repetitions, which takes four times as long to compile. */
export const adverb = phrases(
  'también, actualmente, ahora, ahora mismo, todavía, aún, siempre, ya, realmente, muy, principalmente, personalmente, absolutamente, sobre todo, además, hoy en día, mucho, muchísimo, bastante, especialmente',
);

export const toRules = ruleTable({
  adverb: `(?:\\s${adverb}){0,4}`,
  yo: `(?:yo )?(?:${adverb} )?`,
  soy: `(?:yo )?(?:${adverb} )?(?:no )?soy(?:\\s${adverb}){0,4}`,
  estoy: `(?:yo )?(?:${adverb} )?(?:no )?estoy(?:\\s${adverb}){0,4}`,
  tengo: `(?:yo )?(?:${adverb} )?tengo(?:\\s${adverb}){0,4}`,
  favor: '(?:(?:por favor|porfa|y|entonces)[ ,]+)*',
  count: '(?:une?a?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|\\d{1,2})',
  mi: '(?:mi|mis|nuestro|nuestra)',
  name: namePattern(
    phrases(
      'y, e, pero, o, con, que, en, es, soy, yo, para, por, no, porque, sin, el, la, los, un, una, ahora, desde, si, cuando, ha, dice, vive, trabaja, tiene, tonto, tonta, a mí',
    ),
  ),
  value: '(?<value>.+)',
});

const shown = toPattern(
  /\b(?:(?:este|esta|estos|estas|ese|esa|esos|esas|tu|tus|vuestro|vuestra) \p{L}+|aquí|arriba|abajo|hoy(?! en día)|esta vez|que has|que hiciste|lo que|ti|contigo)\b/iu,
);

export const pronoun = toPattern(
  /^(?:esto|eso|aquello|lo|que|cómo|cuando|nada|todo(?=$)|algo|(?:la|el) (?:idea|imagen|manera|forma|título|tono|texto|respuesta|versión|ejemplo|propuesta|primer[oa]?|segund[oa]|tercer[oa]?|últim[oa]|nuev[oa]))\b/iu,
);

export const role = toPattern(`^(?:${phrases(workRoles)})\\b`);

export function isTaste({ value, text }: RuleMatch): boolean {
  return value !== '' && !pronoun.test(value) && !shown.test(text);
}

export function outlives({ text }: RuleMatch): boolean {
  return !shown.test(text);
}

export function isName(match: RuleMatch): boolean {
  return (
    !match.lowerCaseWriter &&
    /^[\p{Lu}\p{Lo}]/u.test(match.value) &&
    match.value.split(' ').every((word) => /^\p{Lu}|^\p{Lo}|^(?:de|del|la|las|los|da|van|von)$/u.test(word)) &&
    /\p{Ll}|\p{Lo}/u.test(match.text)
  );
}
