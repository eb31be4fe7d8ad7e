import { phrases, toPattern } from '../../phrases.js';
import { namePattern, type RuleMatch, ruleTable } from '../../rule.js';
import { workRoles } from './french-words.js';

/** Repeated up to four times in patterns: V8 unrolls fewer repetitions, which takes four times as long to compile. */
export const adverb = phrases(
  'aussi, actuellement, toujours, encore, vraiment, maintenant, déjà, très, plutôt, également, surtout, principalement, personnellement, absolument, en fait, en ce moment, depuis peu, moi-même, bien, beaucoup, énormément, particulièrement',
);

export const toRules = ruleTable({
  adverb: `(?:\\s${adverb}){0,4}`,
  suis: `(?:je|j')(?: ne)? ?suis(?:\\s${adverb}){0,4}`,
  ai: `j'ai(?:\\s${adverb}){0,4}`,
  pas: '(?: (?:pas|plus|jamais))?',
  svp: "(?:(?:s'il (?:te|vous) plaît|stp|svp|merci de|et|alors)[ ,]+)*",
  count: '(?:une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|\\d{1,2})',
  mon: '(?:mon|ma|mes|notre|nos)',
  name: namePattern(
    phrases(
      "et, mais, ou, de la maison, avec, qui, dans, à, au, en, est, suis, je, j'ai, nous, pour, pas, car, sans, le, la, les, un, une, maintenant, depuis, si, quand, a, dit, s'il, svp, stp, chez, habite, travaille, vit, aime",
    ),
  ),
  value: '(?<value>.+)',
});

const shown = toPattern(
  /\b(?:(?:ce|cet|cette|ces|ton|ta|tes|votre|vos) \p{L}+|ici|ci-dessus|ci-dessous|aujourd'hui|cette fois|que tu|que vous|ce que|toi|celui-ci|celle-ci)\b/iu,
);

const pronoun = toPattern(
  /^(?:ça|cela|ceci|le(?=$)|la(?=$)|les(?=$)|ce|celui|celle|que|qu'|quand|comment|tout ça|rien|tout(?=$)|l'idée|l'image|la façon|le titre|le ton|le texte|la réponse|la version|l'exemple|(?:le|la) (?:premi(?:er|ère)|deuxième|second|seconde|troisième|derni(?:er|ère)|nouveau|nouvelle))\b/iu,
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
    match.value.split(' ').every((word) => /^\p{Lu}|^\p{Lo}|^(?:de|du|des|la|le|van|von|ben|el)$/u.test(word)) &&
    /^[\p{Lu}\p{Lo}]/u.test(match.value) &&
    /\p{Ll}|\p{Lo}/u.test(match.text)
  );
}
