import { phrases } from '../../phrases.js';
import { isProper, type Rule } from '../../rule.js';
import { toRules } from './english-parts.js';
import { isName } from './identity-rules.js';
import { animals, people } from './word-lists.js';

const qualifier = `(?:(?:older|younger|little|big|elder|eldest|oldest|youngest|middle|twin|late|new|former|direct|line|current|dear|other|first|second|five|six|seven|eight|nine|ten|\\d{1,2})(?:[ -]year[ -]old)? )?`;
const relation = `(?<role>${phrases(`${people},${animals}`)})`;

export const relationshipRules: Rule[] = [
  ...toRules('relationship', 'my', [
    [
      'named',
      0.94,
      `(?:my|our) ${qualifier}${relation}(?:(?:'?s| his| her)? name(?: is|'?s)| (?:is|'?s) (?:called|named)|,? (?:called|named|whose name is|who is called|who'?s called)| goes by) {name}`,
      { slot: 'relation %' },
    ],
    ['apposition', 0.86, `(?:my|our) ${qualifier}${relation},? {name}`, { accepts: isProper, slot: 'relation %' }],
    [
      'is',
      0.9,
      `(?:my|our) (?:new )?${qualifier}${relation}(?: is|'s)(?: now)? {name}`,
      { accepts: isName, slot: 'relation %' },
    ],
    [
      'names',
      0.9,
      "(?:my|our) (?:kids|children|sons|daughters|twins|cats|dogs|parents|brothers|sisters|siblings)(?:' names)?(?: are|,)(?: (?:called|named))? {name}",
      { accepts: isProper },
    ],
  ]),
  ...toRules('relationship', 'i', [
    ['has', 0.9, `i(?:'?ve| have)(?: got)? (?:an?|one) (?:[\\p{L}-]{2,15} ){0,2}${relation},? (?:called|named) {name}`],
    [
      'attached',
      0.88,
      '(?:{im}|{ive}(?: just| recently)? got(?:ten)?){adverb} (?:married|engaged|dating|seeing)(?: to)? {name}',
      { accepts: isProper, past: true },
    ],
  ]),
  ...toRules('relationship', 'i', [
    ['reports to', 0.86, 'i{adverb} (?:report to|work under) {name}', { accepts: isProper, slot: 'relation manager' }],
  ]),
  ...toRules('relationship', 'other', [
    [
      'role',
      0.88,
      `(?!(?:that|this|it|he|she|who|they|here|there|what|where)\\b){name}(?: is|'s) (?:my|our) ${qualifier}${relation}\\b(?!'s)`,
      { accepts: isProper, slot: 'relation %' },
    ],
  ]),
];
