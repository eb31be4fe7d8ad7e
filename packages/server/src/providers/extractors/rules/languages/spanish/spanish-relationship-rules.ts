import { phrases } from '../../phrases.js';
import { isProper, type Rule } from '../../rule.js';
import { isName, toRules } from './spanish-parts.js';
import { people } from './spanish-words.js';

const relation = `(?<role>${phrases(people)})(?: (?:mayor|menor|pequeñ[oa]|nuev[oa]|actual|direct[oa]))?`;
export const relationshipRules: Rule[] = toRules('relationship', 'other', [
  [
    'named',
    0.94,
    `{mi} (?:nuev[oa] |querid[oa] )?${relation} se llama{adverb} {name}`,
    { accepts: isName, slot: 'relation %' },
  ],
  [
    'is',
    0.9,
    `{mi} ${relation} es (?<value>(?:el señor|la señora|don|doña|sr\\.|sra\\.|dr\\.|dra\\.) \\p{L}[\\p{L}\\p{M}'-]{1,30})`,
    { slot: 'relation %' },
  ],
  ['is', 0.88, `{mi} ${relation} es(?: ahora)? {name}$`, { accepts: isName, slot: 'relation %' }],
  [
    'apposition',
    0.86,
    `{mi} ${relation},? {name}`,
    { accepts: (match) => isProper(match) && !match.lowerCaseWriter, slot: 'relation %' },
  ],
  [
    'has',
    0.9,
    `{tengo} une?a? (?:\\p{L}{2,15} )?${relation},? (?:que se llama|llamad[oa]) {name}`,
    { accepts: isName },
  ],
  ['role', 0.88, `{name} es (?:mi|nuestro|nuestra) ${relation}$`, { accepts: isName, slot: 'relation %' }],
]);
