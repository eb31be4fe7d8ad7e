import { phrases, toPattern } from '../../phrases.js';
import { isProper, type Rule, type RuleMatch } from '../../rule.js';
import { namesLastingObject, outlivesTask, toRules } from './english-parts.js';
import { animals, conditions, languages, nationalities, states } from './word-lists.js';
import { workRules } from './work-rules.js';

function isPlace(match: RuleMatch): boolean {
  return (
    !toPattern(/^(?:fear|hope|peace|hell|the (?:moment|past|present|now)|an? (?:world|dream|bubble))\b/iu).test(
      match.value,
    ) && outlivesTask(match)
  );
}

export function isName(match: RuleMatch): boolean {
  const other = toPattern(
    /^(?:ok|okay|sorry|done|good|fine|sure|so|very|not|glad|happy|sad|tired|lost|stuck|confused|back|ready|here|afraid|interested|looking|trying|working|using|going|getting|thinking|wondering|having|at|in|on|off|out|up|down|all|a|an|the|just|really)\b/iu,
  );
  return (
    !match.lowerCaseWriter &&
    isProper(match) &&
    !other.test(match.value) &&
    match.value.split(' ').every((word) => /^\p{Lu}|^\p{Lo}|^(?:de|van|von|der|da|al|el|bin|la)$/u.test(word))
  );
}

function isAge({ value }: RuleMatch): boolean {
  return Number(value) >= 5 && Number(value) <= 110;
}

const diets = phrases(
  'halal, kosher, keto, paleo, plant-based, low-carb, gluten-free, vegan, vegetarian, mediterranean, low-sodium',
);
const place = '(?:in|near|on|at|outside|just outside|around|close to) ';
const kin = `(?:${phrases('kids?, children, sons?, daughters?, boys, girls, brothers?, sisters?, siblings?, grandchildren, grandkids, stepchildren, twins, toddlers?, teenagers?, bab(?:y|ies)')}|(?:${phrases(animals)}|guinea pigs|puppies|bunnies)s?)`;

/** Before all other rules, which would take statements about something that has ended for facts. */
const ended = toRules('identity', 'i', [
  [
    'ended',
    0.86,
    '(?:i no longer|{im} no longer)\\b(?! (?:like|love|want|need|think|know|see|get|use|understand|remember|believe)\\b).+|(?:i {dont} (?:live|work|study|teach|own|have|play|run|drive|smoke|eat|drink)|{im} not) [^,]{1,80} any ?more$',
    { accepts: outlivesTask },
  ],
]);

const firstPerson = toRules('identity', 'i', [
  [
    'home',
    0.92,
    `(?:i{adverb} (?:live|reside)|{im}{adverb} (?:living|based|located)|{ive} (?:been )?(?:lived?|living|based)){adverb} ${place}{value}`,
    { accepts: isPlace, slot: 'home' },
  ],
  ['household', 0.85, 'i{adverb} live (?:alone|with (?:my|two|three|an?|\\d))\\b'],
  [
    'moved',
    0.9,
    '{ive}{adverb} (?:moved|relocated)(?: (?:back|out|down|up|over|house|home))?(?: from [^,]{1,30})? to {value}',
    { accepts: isProper, slot: 'home', past: true },
  ],
  [
    'origin',
    0.88,
    '(?:{im}{adverb} (?:coming )?from|i{adverb} c[oa]me from|i grew up {adverb}in) {value}',
    { accepts: isProper, slot: 'origin' },
  ],
  ['born', 0.92, 'i was born(?: and (?:raised|grew up))? (?:in|on|at) {value}', { slot: 'born', yearly: true }],
  [
    'age',
    0.9,
    '{im}{adverb} (?:about to (?:turn|be) |turning )?(?<value>\\d{1,3})(?:(?: years?|-years?|yrs?|y)[ /-]?(?:old|o)\\b|(?=\\s*(?:$|,|\\.|and\\b|now\\b|but\\b|so\\b|in \\p{L}+\\b)))',
    { accepts: isAge, slot: 'age' },
  ],
  ['turned', 0.88, 'i{adverb} (?:turned|turn|will turn) (?<value>\\d{1,3})\\b', { accepts: isAge, slot: 'age' }],
  [
    'time zone',
    0.9,
    '{im}{adverb} (?:in|on) (?:the )?(?<value>[\\p{L}+\\d/: -]{1,30}?) ?(?:time ?zone|standard time|time)\\b',
    { accepts: ({ value }) => /\p{Lu}|pacific|eastern|central|mountain/u.test(value), slot: 'time zone' },
  ],
  [
    'time zone',
    0.9,
    '{im}{adverb} (?:in|on|at) (?<value>(?:utc|gmt|cet|cest|est|edt|pst|pdt|cst|mst|ist|jst|bst)(?:[+-]\\d{1,2})?)\\b',
    { slot: 'time zone' },
  ],
  [
    'language',
    0.9,
    `i{adverb} speak (?:(?:fluent|some|a little|a bit of|only|good|basic|both|native) )?${phrases(languages)}\\b`,
  ],
  ['language', 0.9, `{im}{adverb} (?:fluent in|a native|learning|studying|native in) ${phrases(languages)}\\b`],
  [
    'learning',
    0.78,
    '{im}{adverb} learning (?:how )?to (?:play|code|program|cook|drive|swim|sail|ski|knit|sew|draw|paint|dance|surf)\\b',
  ],
  [
    'state',
    0.92,
    `{im}(?: (?:an?|also|strictly|mostly|now|currently|still|fully|partially|happily|recently|newly|not|no longer)){0,2} ${phrases(states)}(?![\\w-])`,
  ],
  ['nationality', 0.85, `{im}{adverb}(?: half)? ${phrases(nationalities)}(?=$|[,.;!]| (?:and|but|by|living|born)\\b)`],
  [
    'allergy',
    0.95,
    "(?:{im}{adverb}(?: (?:badly|severely|mildly|deathly|highly))? (?:allergic|intolerant|sensitive) to|i(?:'?ve| have)(?: got)? (?:an? )?(?:[\\p{L}-]{1,20} ){0,3}(?:allergy|intolerance|allergies)\\b)",
  ],
  [
    'condition',
    0.9,
    `i(?:'?ve| have| suffer)(?: got| from)?(?: (?:severe|mild|chronic|type [12]|a touch of)){0,2} ${phrases(conditions)}\\b`,
  ],
  ['condition', 0.92, "i(?:'?ve been| have been| was| got|'?m| am){adverb} diagnosed with .+"],
  [
    'condition',
    0.86,
    `i{adverb} wear ${phrases('glasses, contacts, contact lenses, hearing aids, a hearing aid, braces')}\\b`,
  ],
  [
    'condition',
    0.86,
    `i{adverb} take (?:daily |regular )?${phrases('blood thinners, insulin, medication, meds, antidepressants, statins, beta blockers, metformin, antihistamines, thyroid medication, blood pressure medication, the pill')}\\b`,
  ],
  [
    'food',
    0.88,
    '(?:i{adverb} {dont}|i{adverb} {cant}|i no longer|i stopped|i quit)(?: really| even)? (?:eat(?:ing)?|drink(?:ing)?|smok(?:e|ing)|consum(?:e|ing)|tolerate)(?: {value})?$',
    {
      accepts: (match) =>
        !toPattern(/^(?:much|yet|today|now|well)\b/iu).test(match.value) &&
        !toPattern(/^(?:it|this|that|these|those|anything|everything|lots?)\b/iu).test(match.value) &&
        outlivesTask(match),
    },
  ],
  ['food', 0.88, `i{adverb}(?: only)? (?:eat|keep|follow)(?: an?)?(?: strict)? ${diets}\\b`],
  ['family', 0.9, `i(?:'?ve got|'?ve| have| own)(?: got)? {count} (?:[\\p{L}-]{2,15} ){0,2}${kin}(?![\\w-])`],
  [
    'family',
    0.9,
    "(?:i(?:'?ve| have)?(?: just| recently)? (?:got|gotten|became|been)) (?:engaged|married|divorced)\\b",
    { past: true },
  ],
  ['family', 0.85, '{im}(?: a)?(?: single)? (?:mother|father|mom|mum|dad|parent) (?:of|to)\\b'],
  ['pronouns', 0.92, 'i{adverb} (?:use|go by) (?<value>\\p{L}+/\\p{L}+)', { slot: 'pronouns' }],
  ['retired', 0.9, '{ive}{adverb} retired\\b', { past: true }],
  [
    'music',
    0.82,
    'i{adverb} (?:can )?play (?:the )?(?:piano|guitar|violin|viola|cello|bass|double bass|drums?|flute|clarinet|saxophone|trumpet|trombone|harp|organ|ukulele|banjo|accordion|oboe|recorder|tennis|chess|football|soccer|basketball|volleyball|golf|rugby|cricket|hockey|badminton|squash)\\b',
  ],
  [
    'size',
    0.85,
    "(?:i{adverb} (?:wear|take)(?: a)? (?:size|medium|large|small|xs|s|m|l|xl|xxl)\\b|{im} (?:\\d[\\d.,']{0,5}) ?(?:cm|m|feet|foot|ft|kg|lbs?|pounds)(?: tall)?\\b|i weigh \\d)",
  ],
  ['name', 0.85, '{im}{adverb} {name}', { accepts: isName, slot: 'name' }],
  ['name', 0.88, 'i{adverb} go by {name}', { accepts: isName, slot: 'form of address' }],
]);

const mine = toRules('identity', 'my', [
  ['name', 0.96, "my (?:(?:full|first|last|given|real|family|user) ?)?name(?: is|'?s) {name}", { slot: 'name' }],
  [
    'birthday',
    0.94,
    "my (?:birthday|birth ?date|date of birth|dob|b-?day)(?: is|'?s| falls)(?: on| in)? {value}",
    {
      accepts: ({ value }) =>
        toPattern(
          /\d|\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b/iu,
        ).test(value),
      slot: 'birthday',
      yearly: true,
    },
  ],
  ['time zone', 0.94, "my time ?zone(?: is|'?s) {value}", { slot: 'time zone' }],
  [
    'language',
    0.94,
    "my (?:native|first|second|mother|main) (?:language|tongue)(?: is|'?s) {value}",
    { slot: 'native language' },
  ],
  ['pronouns', 0.95, 'my pronouns are {value}', { slot: 'pronouns' }],
  ['home', 0.85, "my (?:home|home city)(?: is|'?s)(?: in)? {value}", { accepts: isProper, slot: 'home' }],
  ['origin', 0.85, "my home ?town(?: is|'?s)(?: in)? {value}", { accepts: isProper, slot: 'origin' }],
  ['address', 0.85, "my (?:home )?address(?: is|'?s) {value}", { accepts: namesLastingObject, slot: 'address' }],
  ['age', 0.9, "my age(?: is|'?s) (?<value>\\d{1,3})\\b", { accepts: isAge, slot: 'age' }],
  [
    'size',
    0.88,
    "my (?:(?<role>shoe|shirt|dress|ring|hat|trouser|jeans|clothing|glove) size|height|weight|blood type|blood group)(?: is|'?s) {value}",
    { slot: '% size' },
  ],
  [
    'contact',
    0.88,
    "my (?<role>e-?mail(?: address)?|github|website|handle|username)(?: is|'?s) {value}",
    { accepts: ({ value }) => /^\S+$/.test(value), slot: '%' },
  ],
  ['allergy', 0.9, 'my (?:food )?allergies (?:are|include) {value}'],
]);

const ours = toRules('identity', 'we', [
  ['food', 0.86, `we{adverb}(?: only)? (?:eat|keep|follow)(?: an?)?(?: strict)? ${diets}\\b`],
  ['family', 0.88, `we(?:'?ve got|'?ve| have)(?: got)? {count} (?:[\\p{L}-]{2,15} ){0,2}${kin}(?![\\w-])`],
  [
    'home',
    0.86,
    `we(?:{adverb} live|(?:'?re| are){adverb} (?:living|based)) ${place}{value}`,
    { accepts: isPlace, slot: 'home' },
  ],
  [
    'moved',
    0.86,
    "we(?:'?ve| have)?{adverb} (?:moved|relocated)(?: (?:back|out|down|up|over))? to {value}",
    { accepts: isProper, slot: 'home', past: true },
  ],
]);

export const identityRules: Rule[] = [...ended, ...workRules, ...firstPerson, ...mine, ...ours];
