import { phrases, toPattern } from '../../phrases.js';
import type { Rule, RuleMatch } from '../../rule.js';
import { namesLastingObject, outlivesTask, toRules } from './english-parts.js';
import { languages } from './word-lists.js';

/** Things that people like or hate in passing, without a lasting taste. */
const passing = toPattern(
  /^(?:to (?:see|hear|say|know|think|believe|imagine|point|thank|discuss|talk|go|come|visit|meet|join|admit|be honest|disappoint|break|ask|bother|try|get|have|learn|make|do|buy|book|order|add|use|start|change)\b|it\b(?! when)|an? (?:refund|quote|copy|list|table|summary|word|minute|break)\b|the (?:idea|way|sound|look|answer|result|example|fact|tone|style|design|color|colour|name|title|first|second|third|last|new|old|one|part|suggestion|concept|plot|ending)\b|being (?:here|back|right|wrong)\b)/iu,
);

/** The text is about something present in the conversation. */
const shown = toPattern(
  /^(?:\S+ ){0,5}(?:this|these|those|them|him|his|her|their|it|you|your|that you|they|he|she)\b(?! when\b)|\b(?:that|this)$|\b(?:of|to|hear|see|escaping to|in) (?:that|this)\b/iu,
);

function isTaste(match: RuleMatch): boolean {
  return namesLastingObject(match) && !passing.test(match.value) && !shown.test(match.value);
}

/** "I never had", "I only need": not a habit. */
const noHabit = toPattern(
  /^(?:(?:really|even|quite|actually|ever) )?(?:have|had|need|needed|want|wanted|see|saw|seen|get|got|know|knew|asked|meant|did|do|done|found|find|wonder|wondered|thought|think|was|were|am|is|be|been|said|say|heard|hear|forget|forgot|feel|felt|mean|seem|end|received|tried|made|took|care|understood|understand|remember|expected|noticed|realized|realised|hope|wish|knows|mind|happened|happen|fail|fails|failed|can|could|will|would|\w{2,}ed)\b/iu,
);

function isHabit(match: RuleMatch): boolean {
  return (
    !noHabit.test(match.value) &&
    !shown.test(match.value) &&
    outlivesTask(match) &&
    match.value.includes(' ') &&
    !toPattern(/\bthere\b/iu).test(match.value)
  );
}

const often = phrases(
  'always, never, usually, mostly, typically, normally, generally, only, rarely, hardly ever, seldom, often, tend to, mainly, almost always, almost never',
);
const like = phrases(
  "like, love, enjoy, adore, hate, dislike, loathe, detest, despise, can't stand, cannot stand, can't bear, don't like, do not like, don't enjoy, don't love, no longer like",
);
const answers = phrases(
  'answers, replies, responses, explanations, messages, summaries, emails, texts, output, tone, language',
);

const lastingAfter = phrases(`
  from now on, from here on, from here on out, going forward, henceforth, every time, each time, at all times, by default,
  in all your answers, in your answers, in your replies, in your responses, when you answer me, when talking to me,
  when you talk to me, when you write to me, in future
`);
/** At the beginning also phrases that mean only "some day" at the end of a sentence. */
const lasting = `(?:${lastingAfter}|${phrases('moving forward, in the future, as a rule, as a general rule')})`;

export const tasteRules: Rule[] = [
  ...toRules('preference', 'i', [
    ['prefer', 0.88, '(?:i{adverb}(?: {dont})?|{im} someone who) prefers? {value}', { accepts: isTaste }],
    [
      'taste',
      0.84,
      `i{adverb}(?: {dont}(?: (?:really|particularly|much|actually|even))?)? ${like}(?: {adverb})? {value}`,
      {
        accepts: (match) =>
          isTaste(match) && !toPattern(/^(?:to$|(?:if|it if|that you|you to|any|more)\b)/iu).test(match.value),
      },
    ],
    [
      'dislike',
      0.84,
      "i(?: really| personally| absolutely| just)? (?:can'?t|cannot) (?:stand|bear) {value}",
      { accepts: isTaste },
    ],
    [
      'fan',
      0.82,
      '{im}(?: (?:not|really|quite|very|also|such|a|an|big|huge|massive|lifelong|much of|of|pretty)){0,4} (?:fan of|into|fond of|keen on|obsessed with|partial to|crazy about|passionate about|lover of) {value}',
      { accepts: isTaste },
    ],
    [
      'rather',
      0.65,
      "i(?:'?d| would){adverb} rather {value}",
      { accepts: (match) => / than /iu.test(match.value) && isTaste(match) },
    ],
    ['habit', 0.76, `i(?: (?:really|also|just|personally|do))? ${often} {value}`, { accepts: isHabit }],
    [
      'taken',
      0.84,
      'i{adverb} (?:take|drink|have|like|eat) my (?:coffee|tea|steak|eggs|whisky|whiskey|martini|toast) {value}',
      { accepts: ({ value }) => !toPattern(/^(?:is|was|are|out|to)\b/iu).test(value) },
    ],
    [
      'avoidance',
      0.72,
      'i{adverb} (?:{dont}|no longer) (?:use|wear|watch|read|do|work|fly|buy|shop|answer|take) {value}',
      {
        accepts: (match) =>
          isTaste(match) && !toPattern(/^(?:for|well|anymore|any|the|as|so|properly|my|much)\b/iu).test(match.value),
      },
    ],
    ['avoid', 0.8, 'i{adverb}(?: try to)? avoid(?: eating| drinking| using| buying)? {value}', { accepts: isTaste }],
    ['person', 0.76, '{im}(?: not| more of| definitely| really| very much){0,2} an? [\\p{L} -]{2,30} person$'],
    ['wish for service', 0.86, "i(?:'?d like| want| would like| expect) you to (?:always|never) {value}"],
    ['wish for service', 0.88, `i(?:'?d like| want| would like| expect) you to [^?]{3,160}? ${lastingAfter}$`],
  ]),
  ...toRules('preference', 'my', [
    [
      'favourite',
      0.9,
      "(?:my|our) (?:all-?time |absolute |personal )?fav(?:ou?rite|e)? (?<role>(?!one\\b|part\\b|thing\\b)[\\p{L} -]{2,40}?)(?: is|'s| are) {value}",
      { accepts: isTaste, slot: 'favourite %' },
    ],
    ['preference', 0.9, "my (?:strong |personal )?preference(?: is|'?s)(?: for| to)? {value}", { accepts: isTaste }],
  ]),
];

const please = '(?:(?:please|pls|plz|kindly|just|and|so|also) )*';
/** Things that an assistant can be told to do repeatedly. */
const orderVerb = phrases(`
  use, answer, reply, respond, write, give, include, add, show, explain, cite, keep, put, start, end, ask, tell, call,
  address, format, provide, avoid, check, double[- ]check, verify, correct, translate, convert, say, send, suggest,
  recommend, mention, assume, apologi[sz]e, repeat, summari[sz]e, list, number, sign, quote, return, run, speak, talk,
  round, spell, book, order, schedule, remind, refer, offer, propose, prefer, treat, test, comment, document, name, sort,
  warn, stick to, begin, finish, indent, wrap, commit, push, deploy, print, read, be, do, don't, do not, skip, leave out, pick, choose, buy, take, look, search, think, work, play
`);
const anOrder = new RegExp(`^${orderVerb}\\b(?! up\\b)`, 'iu');

export const orderRules: Rule[] = [
  ...toRules('preference', 'order', [
    [
      'always',
      0.9,
      `${please}(?:always|never(?: ever)?) {value}`,
      {
        accepts: (match) =>
          (anOrder.test(match.value) || /^(?:please|pls|plz|kindly) /iu.test(match.text)) &&
          match.value.includes(' ') &&
          outlivesTask(match),
      },
    ],
    [
      'from now on',
      0.92,
      `${please}${lasting},? ${please}(?!(?:i|we|it|there|what|how|that|this|my|our|he|she|they|you'll|things?)\\b){value}`,
    ],
    ['from now on', 0.9, `${please}${orderVerb}\\b[^?]{3,200}?,? ${lastingAfter}$`],
    ['length', 0.86, `${please}(?:keep|make) (?:your |all |the |all your )${answers}(?: to me)? {value}`],
    [
      'stop',
      0.8,
      `${please}(?:stop|quit) (?:using|calling|adding|writing|giving|saying|apologi[sz]ing|repeating|asking|sending|ending|starting|including|telling|suggesting|addressing) {value}`,
      { accepts: outlivesTask },
    ],
    [
      'not to me',
      0.8,
      `${please}{dont} (?:ever )?(?:call|phone|ring|text|email|e-mail|contact|address|refer to) me\\b(?! (?:back|now|today|yet|later|tomorrow|tonight|again until)\\b)`,
    ],
    [
      'none in answers',
      0.82,
      `${please}(?:no(?: more)?|{dont} (?:use|add|include|write|put|give me)|avoid|skip|less|fewer|more|use|add|include) [^,.;]{2,60} (?:in|with|at the end of|to) (?:your|all your|all|any|every) ${answers}`,
    ],
    ['none please', 0.7, 'no (?:more )?[\\p{L} -]{3,30},? (?:please|pls|ever)$', { accepts: outlivesTask }],
    [
      'instead',
      0.74,
      `${please}use (?!it\\b|this\\b|that\\b)(?<value>[^,]{1,60}?),? (?:(?:and |but )?not|instead of|rather than|over|never) (?!it\\b|this\\b|that\\b)[^,]{1,60}$`,
      { accepts: (match) => outlivesTask(match) && !/^(?:an?|the|another|more|less) /iu.test(match.value) },
    ],
    [
      'language',
      0.84,
      `${please}(?:answer|reply|respond|speak|talk|write)(?: to)? me (?:only )?in ${phrases(languages)}\\b`,
    ],
    [
      'address',
      0.92,
      `${please}(?:you (?:can|may) )?(?:call|address|refer to) me(?: as| by)? (?!(?:back|later|when|if|at|on|in|tomorrow|tonight|today|asap|crazy|old|an?|the|maybe|before|after|now|again|out|sir|madam)\\b)["“']?{name}`,
      { slot: 'form of address' },
    ],
  ]),
  ...toRules('preference', 'other', [
    [
      'address',
      0.9,
      '(?:you (?:can|may) |everyone |everybody |people |they |(?:my )?friends |most people ){1,2}(?:just )?calls? me {name}',
      { slot: 'form of address' },
    ],
    [
      'when working for me',
      0.84,
      `(?:when(?:ever)?|if) (?:you(?:'?re)? )?(?:answer|answering|reply|replying|respond|responding|writ(?:e|ing)|explain|explaining|talk|talking|cod(?:e|ing)|suggest|suggesting|recommend|recommending|cit(?:e|ing))\\b[^,]{0,60}?,? ${please}(?:use|give|keep|include|write|add|avoid|don'?t|do not|always|never|prefer|stick|show|start|explain|answer|tell)\\b`,
    ],
  ]),
];
