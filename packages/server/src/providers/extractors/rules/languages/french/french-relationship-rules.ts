import { phrases } from '../../phrases.js';
import { isProper, type Rule } from '../../rule.js';
import { isName, toRules } from './french-parts.js';
import { people } from './french-words.js';

const relation = `(?:(?:petite?|grande?|nouveau|nouvelle|vieux|vieille|ancien|ancienne|meilleure?) )?(?<role>${phrases(people)})(?: (?:aînée?|cadette?|actuelle?))?`;
export const relationshipRules: Rule[] = toRules('relationship', 'other', [
  [
    'named',
    0.94,
    `{mon} ${relation} (?:s'appelle|se prénomme|se nomme){adverb} {name}`,
    { accepts: isName, slot: 'relation %' },
  ],
  [
    'is',
    0.9,
    `{mon} ${relation},? (?:est|c'est) (?<value>(?:m\\.|mme|monsieur|madame|dr\\.?) \\p{L}[\\p{L}\\p{M}'-]{1,30})`,
    { slot: 'relation %' },
  ],
  ['is', 0.88, `{mon} ${relation},? (?:est|c'est)(?: maintenant)? {name}$`, { accepts: isName, slot: 'relation %' }],
  [
    'apposition',
    0.86,
    `{mon} ${relation},? {name}`,
    { accepts: (match) => isProper(match) && !match.lowerCaseWriter, slot: 'relation %' },
  ],
  [
    'has',
    0.9,
    `{ai} une? (?:\\p{L}{2,15} )?${relation},? (?:qui s'appelle|nommée?|appelée?|prénommée?) {name}`,
    { accepts: isName },
  ],
  ['role', 0.88, `{name} est (?:mon|ma|notre) ${relation}$`, { accepts: isName, slot: 'relation %' }],
]);
