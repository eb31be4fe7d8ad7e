import { phrases, toPattern } from '../../phrases.js';
import { isProper, type Rule, type RuleMatch } from '../../rule.js';
import { namesLastingObject, outlivesTask, toRules } from './english-parts.js';
import { roles } from './word-lists.js';

const roleEnds = phrases(
  'at, in, for, with, from, of, by, who, and, but, based, living, working, specialising, specializing, now, myself, here, so, to, on, since, currently, looking',
);
const roleEnd = new RegExp(`[,;:(–—]|\\s-|\\s${roleEnds}\\b`, 'iu');
const longestRole = 6;

/** "a second-year law student at …": the part before the first break ends with a word for what someone is. */
function isRole({ value }: RuleMatch): boolean {
  const words = (value.split(roleEnd, 1)[0] ?? '').trim().toLowerCase().split(/\s+/u);
  const head = (words.at(-1) ?? '').replace(/[^\p{L}-]/gu, '');
  const known = roles.has(head) || /(?:ologist|ographer|ineer|ician|therapist|maker|keeper)$/.test(head);
  return (
    known &&
    words.length <= longestRole &&
    !toPattern(/^(?:fan|bit|kind|sort|little|big fan|total|complete|better|bad|terrible)\b/).test(words.join(' '))
  );
}

const organisation = toPattern(
  /\b(?:company|start-?up|firm|agency|studio|business|bank|hospital|clinic|school|university|college|ngo|charity|non-?profit|team|lab|institute|shop|store|restaurant|bakery|caf[eé]|farm|factory|ministry|council|government|department|practice|library|museum|hotel|insurance|insurer|manufacturer|consultancy|publisher|brewery|salon|garage|blog|podcast|channel|office)\b/iu,
);

function isEmployer(match: RuleMatch): boolean {
  const vague = toPattern(
    /^(?:home|night|nights|work|a living|free|myself|the moment|it|this|that|me|you|him|her|them|fun|now|weekends?|hours|the weekend)\b/iu,
  );
  return (
    !vague.test(match.value) &&
    (isProper(match) || organisation.test(match.value.split(roleEnd, 1)[0] ?? '') || match.lowerCaseWriter)
  );
}

/** What someone does and is, and for whom. */
export const workRules: Rule[] = [
  ...toRules('identity', 'i', [
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
      { accepts: (match) => toPattern(/\bnow\b/iu).test(match.text) && isProper(match), slot: 'employer' },
    ],
    [
      'field',
      0.8,
      'i{adverb} work in {value}',
      {
        accepts: (match) =>
          !toPattern(
            /^(?:the (?:morning|evening|afternoon|office|dark|background)|an? (?:hurry|rush)|this|that|my|it|pairs|here)\b/iu,
          ).test(match.value) && outlivesTask(match),
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
          !toPattern(/^(?:the|for|hard|a lot|an?|every|at night|with)\b/iu).test(match.value) &&
          namesLastingObject(match),
      },
    ],
  ]),
  ...toRules('identity', 'my', [
    [
      'work',
      0.9,
      "my (?:job|profession|occupation|job title|role|title)(?: is|'?s) {value}",
      {
        accepts: (match) =>
          !toPattern(/^(?:to|so|very|really|too|not|\p{L}+ing)\b/iu).test(match.value) && namesLastingObject(match),
        slot: 'work',
      },
    ],
    [
      'employer',
      0.85,
      "my (?:employer|company|workplace)(?: is|'?s)(?: called)? {value}",
      { accepts: isProper, slot: 'employer' },
    ],
  ]),
  /** Not a wish in a specification: "As a customer, I want …". */
  ...toRules('identity', 'other', [
    [
      'as role',
      0.82,
      "as an? (?<value>[^,]{2,60}?),? i(?:'?m|'?ve)?\\b(?! (?:want|need|can|should|would|expect|must|will)\\b)",
      { accepts: isRole },
    ],
  ]),
];
