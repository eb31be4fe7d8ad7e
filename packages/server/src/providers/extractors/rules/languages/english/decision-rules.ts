import { phrases, toPattern } from '../../phrases.js';
import type { Rule, RuleMatch } from '../../rule.js';
import { namesLastingObject, toRules } from './english-parts.js';

/** Excludes "We decided to use this money", which tells a story. */
function isMatterOfConcern(match: RuleMatch): boolean {
  const shown = toPattern(
    /\b(?:this|these|those) (?!year|month|week|quarter|summer|winter|spring|autumn|fall|sprint|season)|\b(?:this|these|those|yesterday)$|\b(?:yesterday|earlier|today|tonight)\b/iu,
  );
  return namesLastingObject(match) && !shown.test(match.value);
}

/** Excludes "let's use a stronger example", which is about the text being worked on. */
function isChoice(match: RuleMatch): boolean {
  return (
    isMatterOfConcern(match) &&
    !toPattern(/^(?:an?(?:other)?|some|more|different|see|be|need|have|the same)\b/iu).test(match.value)
  );
}

const act = phrases(`
  use, adopt, ship, launch, switch to, move to, migrate to, drop, host, hold(?! on), deploy, release, buy, hire, charge,
  rent, license, publish, postpone, cancel, rename, replace, call it, name it, standardi[sz]e on, be using, be moving to, be switching to
`);
const decided = phrases('decided, agreed, opted, settled, concluded, committed, voted, resolved, chosen, landed');
const toWhat = phrases('to, on, that, not to, against, for, upon, in favou?r of');

export const decisionRules: Rule[] = [
  ...toRules('decision', 'we', [
    [
      'decided',
      0.92,
      `we(?:'?ve| have| had)?{adverb} ${decided}(?: together| unanimously)? ${toWhat} {value}`,
      { accepts: isMatterOfConcern },
    ],
    [
      'chose',
      0.88,
      "we(?:'?ve| have)?{adverb} (?:chose|chosen|picked|selected|approved|adopted) {value}",
      { accepts: isChoice },
    ],
    [
      'going with',
      0.88,
      "we(?:'?ll| will|'?re| are| shall){adverb} (?:go|going|going to go|be going|stick|sticking|stay|staying|proceed|move forward) (?:ahead )?with {value}",
      { accepts: isChoice },
    ],
    ['will', 0.82, `we(?:'?ll| will|'?re going to| are going to| shall){adverb} ${act} {value}`, { accepts: isChoice }],
    [
      'not',
      0.82,
      `we(?:'?re| are) not going to ${act} {value}|we (?:won'?t|will not|are no longer going to) ${act} .+`,
    ],
    [
      'let us',
      0.84,
      "let'?s (?:just |definitely |then )?(?:go (?:ahead )?with|use|stick (?:with|to)|settle on|adopt|choose|pick|switch to|postpone|drop) {value}",
      { accepts: isChoice },
    ],
  ]),
  ...toRules('decision', 'i', [
    [
      'decided',
      0.86,
      `i(?:'?ve| have){adverb} (?:decided|settled|opted|chosen|resolved) ${toWhat} {value}`,
      { accepts: isMatterOfConcern },
    ],
    [
      'going with',
      0.82,
      "i(?:'?ll| will|'?m| am){adverb} (?:go|going|going to go|stick|sticking) with {value}",
      { accepts: isChoice },
    ],
    ['told', 0.7, `i{adverb} (?:decided|settled|opted) ${toWhat} {value}`, { accepts: isMatterOfConcern }],
    [
      'chose',
      0.8,
      "i(?:'?ve| have)?{adverb} (?:chose|chosen|picked) (?!to\\b|up\\b|out\\b){value}",
      { accepts: isChoice },
    ],
  ]),
  ...toRules('decision', 'my', [
    [
      'stated',
      0.9,
      "(?:my|our) (?:final )?(?:decision|choice)(?: is|'?s|:)(?: to| that)? {value}",
      { accepts: isMatterOfConcern },
    ],
  ]),
  ...toRules('decision', 'other', [
    ['stated', 0.9, "(?:the )?(?:final )?decision(?: is|'?s|:)(?: to| that)? {value}", { accepts: isMatterOfConcern }],
    ['it is decided', 0.88, "(?:it'?s|it is|it was|it has been)(?: been)? (?:decided|agreed)(?: that|:| to) {value}"],
    [
      'then it is',
      0.72,
      '(?<value>[\\p{Lu}][^,]{1,40}) it is(?: then)?$',
      {
        accepts: (match) =>
          isChoice(match) &&
          !toPattern(/^(?:what|how|where|here|there|so|ok|okay|yes|no|maybe|whatever|as)\b/iu).test(match.value),
      },
    ],
  ]),
];

/** The end is read from the dates in the clause; without a date the rules do not apply. */
export const circumstanceRules: Rule[] = toRules('circumstance', 'i', [
  [
    'until',
    0.86,
    "(?:{im}|i(?:'?ll| will) be|i(?:'?ve| have)|i{adverb} (?:work|live|stay|can only)|i {cant}) [^?]{2,160}?\\b(?:until|till|til|through|for the next|for another)\\b",
  ],
  [
    'this week',
    0.8,
    "(?:{im}|i(?:'?ll| will) be){adverb} (?:on (?:holiday|vacation|leave|call|sick leave|a trip)|off|away|out|abroad|travell?ing|visiting|staying|working from|unavailable|not available) [^?]{0,120}?\\b(?:this week|this month|all week)\\b",
  ],
]);
