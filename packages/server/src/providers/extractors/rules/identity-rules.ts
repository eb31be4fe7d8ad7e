import { phrases } from './phrases.js';
import { isProper, namesLastingObject, outlivesTask, type Rule, type RuleMatch, toRules } from './rule.js';
import { animals, conditions, languages, nationalities, roles, states } from './word-lists.js';

const roleEnds = phrases(
  'at, in, for, with, from, of, by, who, and, but, based, living, working, specialising, specializing, now, myself, here, so, to, on, since, currently, looking',
);
const roleEnd = new RegExp(`[,;:(–—]|\\s-|\\s${roleEnds}\\b`, 'iu');
const longestRole = 6;

/** "a second-year law student at …": what comes before the first break ends with a word for what somebody is. */
function isRole({ value }: RuleMatch): boolean {
  const words = (value.split(roleEnd, 1)[0] ?? '').trim().toLowerCase().split(/\s+/u);
  const head = (words.at(-1) ?? '').replace(/[^\p{L}-]/gu, '');
  const known = roles.has(head) || /(?:ologist|ographer|ineer|ician|therapist|maker|keeper)$/.test(head);
  return (
    known &&
    words.length <= longestRole &&
    !/^(?:fan|bit|kind|sort|little|big fan|total|complete|better|bad|terrible)\b/.test(words.join(' '))
  );
}

const organisation =
  /\b(?:company|start-?up|firm|agency|studio|business|bank|hospital|clinic|school|university|college|ngo|charity|non-?profit|team|lab|institute|shop|store|restaurant|bakery|caf[eé]|farm|factory|ministry|council|government|department|practice|library|museum|hotel|insurance|insurer|manufacturer|consultancy|publisher|brewery|salon|garage|blog|podcast|channel|office)\b/iu;

function isEmployer(match: RuleMatch): boolean {
  const vague =
    /^(?:home|night|nights|work|a living|free|myself|the moment|it|this|that|me|you|him|her|them|fun|now|weekends?|hours|the weekend)\b/iu;
  return (
    !vague.test(match.value) &&
    (isProper(match) || organisation.test(match.value.split(roleEnd, 1)[0] ?? '') || match.lowerCaseWriter)
  );
}

function isPlace(match: RuleMatch): boolean {
  return (
    !/^(?:fear|hope|peace|hell|the (?:moment|past|present|now)|an? (?:world|dream|bubble))\b/iu.test(match.value) &&
    outlivesTask(match)
  );
}

export function isName(match: RuleMatch): boolean {
  const other =
    /^(?:ok|okay|sorry|done|good|fine|sure|so|very|not|glad|happy|sad|tired|lost|stuck|confused|back|ready|here|afraid|interested|looking|trying|working|using|going|getting|thinking|wondering|having|at|in|on|off|out|up|down|all|a|an|the|just|really)\b/iu;
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

const firstPerson = toRules('identity', 'i', [
  [
    'ended',
    0.86,
    '(?:i no longer|{im} no longer)\\b(?! (?:like|love|want|need|think|know|see|get|use|understand|remember|believe)\\b).+|(?:i {dont} (?:live|work|study|teach|own|have|play|run|drive|smoke|eat|drink)|{im} not) [^,]{1,80} any ?more$',
    { accepts: outlivesTask },
  ],
  ['role', 0.88, '{im}{adverb} (?:an?|the) {value}', { accepts: isRole }],
  ['work', 0.92, '(?:i{adverb} work|{im}{adverb} (?:working|employed)) as (?:an? |the )?{value}'],
  ['role', 0.86, "i(?:'?ve| have) been an? {value}", { accepts: isRole }],
  [
    'employer',
    0.9,
    "i(?:{adverb} work|(?:'?m| am){adverb} working)(?: (?:part-time|full-time|remotely|nights|weekends|mainly|mostly|{count} days? a week))? (?:at|for|with) {value}",
    { accepts: isEmployer, slot: 'employer' },
  ],
  [
    'employer',
    0.84,
    '{im}(?: now)? (?:at|with) {value}',
    { accepts: (match) => /\bnow\b/iu.test(match.text) && isProper(match), slot: 'employer' },
  ],
  [
    'field',
    0.8,
    'i{adverb} work in {value}',
    {
      accepts: (match) =>
        !/^(?:the (?:morning|evening|afternoon|office|dark|background)|an? (?:hurry|rush)|this|that|my|it|pairs|here)\b/iu.test(
          match.value,
        ) && outlivesTask(match),
    },
  ],
  [
    'new employer',
    0.88,
    '{ive}{adverb} (?:joined|started(?: (?:working|a (?:new )?job|a (?:new )?position|out))? (?:at|with|for)|(?:got|took|accepted|landed)(?: an?)?(?: new)? (?:job|position|role|offer) (?:at|with|from)) {value}',
    { accepts: isEmployer, slot: 'employer', past: true },
  ],
  [
    'left employer',
    0.88,
    "(?:{ive}{adverb} (?:left|quit|resigned from)|i no longer work (?:at|for)|{im} no longer (?:at|with)|i do(?:n'?t| not) work (?:at|for)) {value}",
    { accepts: isEmployer, past: true },
  ],
  [
    'business',
    0.85,
    'i{adverb} (?:run|own|manage|lead|founded|co-?founded|started) (?:an?|the|my own|our|two|three|several) {value}',
    { accepts: ({ value }) => organisation.test(value) },
  ],
  [
    'teaching',
    0.85,
    'i{adverb} (?:teach|coach) {value}',
    { accepts: (match) => !/^(?:myself|people|an? lesson)/iu.test(match.value) && namesLastingObject(match) },
  ],
  [
    'studies',
    0.85,
    "i(?:{adverb} study|(?:'?m| am){adverb} (?:studying|majoring in|doing a (?:phd|master'?s|bachelor'?s|degree) in)) {value}",
    {
      accepts: (match) =>
        !/^(?:the|for|hard|a lot|an?|every|at night|with)\b/iu.test(match.value) && namesLastingObject(match),
    },
  ],
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
        !/^(?:much|yet|today|now|well)\b/iu.test(match.value) &&
        !/^(?:it|this|that|these|those|anything|everything|lots?)\b/iu.test(match.value) &&
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
  ['name', 0.85, '(?:{im}|i go by){adverb} {name}', { accepts: isName, slot: 'name' }],
]);

const mine = toRules('identity', 'my', [
  ['name', 0.96, "my (?:(?:full|first|last|given|real|family|user) ?)?name(?: is|'?s) {name}", { slot: 'name' }],
  [
    'birthday',
    0.94,
    "my (?:birthday|birth ?date|date of birth|dob|b-?day)(?: is|'?s| falls)(?: on| in)? {value}",
    {
      accepts: ({ value }) =>
        /\d|\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b/iu.test(
          value,
        ),
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
  [
    'work',
    0.9,
    "my (?:job|profession|occupation|job title|role|title)(?: is|'?s) {value}",
    {
      accepts: (match) =>
        !/^(?:to|so|very|really|too|not|\p{L}+ing)\b/iu.test(match.value) && namesLastingObject(match),
      slot: 'work',
    },
  ],
  [
    'employer',
    0.85,
    "my (?:employer|company|workplace)(?: is|'?s)(?: called)? {value}",
    { accepts: isProper, slot: 'employer' },
  ],
  [
    'home',
    0.85,
    "my (?:home ?town|address|home(?: city)?|home address)(?: is|'?s)(?: in)? {value}",
    { accepts: namesLastingObject, slot: 'home' },
  ],
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

/** Not the form of a wish in a specification: "As a customer, I want …". */
const asRole = toRules('identity', 'other', [
  [
    'as role',
    0.82,
    "as an? (?<value>[^,]{2,60}?),? i(?:'?m|'?ve)?\\b(?! (?:want|need|can|should|would|expect|must|will)\\b)",
    { accepts: isRole },
  ],
]);

export const identityRules: Rule[] = [...firstPerson, ...mine, ...ours, ...asRole];
