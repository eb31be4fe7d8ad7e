import { phrases } from '../../phrases.js';
import { isProper, type Rule } from '../../rule.js';
import { isName, isPersonName, role, toRules } from './german-parts.js';
import { people } from './german-words.js';

const relation = `(?:(?:älteste[rn]?|jüngste[rn]?|ältere[rn]?|jüngere[rn]?|kleine[rn]?|große[rn]?|neue[rn]?|beste[rn]?|direkte[rn]?|verstorbene[rn]?) )?(?<role>${phrases(people)})`;
export const relationshipRules: Rule[] = toRules('relationship', 'other', [
  ['named', 0.94, `{mein} ${relation} (?:heißt|hat den namen){adverb} {name}`, { accepts: isName, slot: 'relation %' }],
  [
    'is',
    0.9,
    `{mein} ${relation} ist (?<value>(?:frau|herr|dr\\.|prof\\.) \\p{L}[\\p{L}\\p{M}'-]{1,30})`,
    { slot: 'relation %' },
  ],
  ['is', 0.88, `{mein} ${relation} ist(?: jetzt| nun)? {name}$`, { accepts: isPersonName, slot: 'relation %' }],
  [
    'apposition',
    0.86,
    `{mein} ${relation},? {name}`,
    { accepts: (match) => isProper(match) && !match.lowerCaseWriter && !role.test(match.value), slot: 'relation %' },
  ],
  [
    'has',
    0.9,
    `{habe} (?:einen?|eine) (?:\\p{L}{2,15} )?${relation},? (?:namens|mit (?:dem )?namen|der heißt|die heißt) {name}`,
    { accepts: isName },
  ],
  ['role', 0.88, `{name} ist (?:mein|meine|unser|unsere) ${relation}$`, { accepts: isPersonName, slot: 'relation %' }],
]);
