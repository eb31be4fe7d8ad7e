import { phrases, toPattern } from '../../phrases.js';
import type { LeadEffect } from '../language.js';

const after = '(?:[\\s,:;.!…–—-]+|$)';
const polite = `(?:${phrases('please, pls, plz, kindly, also, just, and, so, always')}\\s+)*`;
const askingYou = `(?:${phrases("can you, could you, would you, will you, i'd like you to, i would like you to, i want you to, make sure you, make sure to")}\\s+)?`;
const remember = phrases(`
  remember, rember, remeber, keep in mind, bear in mind, keep note, take note, make a note, make a mental note, note,
  don't forget, do not forget, never forget, write down, write this down, jot down, jot this down, save, save this,
  memori[sz]e, add to your memory, add to memory, add this to your memory, update your memory, save to memory
`);
/**
 * After "remember", a statement follows only after one of these: "remember to" and "remember when" mean something else.
 */
const content = [
  `(?:\\s+${phrases('this, the following, for later, for next time, for the future, for future reference')})?`,
  '(?:\\s*[:–—-]\\s*',
  `|\\s*,\\s*(?=${phrases("i, i'm, i've, my, we, we're, our, the")}\\b)`,
  '|(?<!remember|rember|remeber|forget)\\s*,\\s*',
  '|\\s+(?:that|the fact that)\\s+(?!(?:time|day|one|was|when)\\b)',
  `|\\s+(?=${phrases("i, i'm, i've, i'd, my, we, we're, our, the")}\\b))`,
  `(?!${phrases('to, when, how, what, me')}\\b)`,
].join('');

/** "no" alone may start an order: "no emojis please". */
const plainNo = "no(?=\\s*[,.!;:…–—]|\\s(?:i|i'm|it|it's|its|we|my|that|that's)\\b)";
const correction = phrases(`
  no wait, wait no, oh wait, oh no, wait, nope, actually, oops, whoops, my bad, my mistake, correction, sorry,
  apologies, typo, rather, on second thought, on second thoughts, i meant, i mean, i misspoke, i mistyped, i was wrong,
  scratch that, strike that, forget that, ignore that, that's wrong, that's not right, that's incorrect, that's outdated,
  i changed my mind, i've changed my mind, i have changed my mind, we changed our minds
`);
const filler = phrases(`
  well, so, oh, ok, okay, k, yeah, yes, yep, yup, btw, by the way, also, and, but, or, hi, hello, hey, heya, hola,
  good morning, good afternoon, good evening, hi there, hello there, hey there, hi all, hi everyone, hi again, anyway,
  anyways, besides, plus, honestly, frankly, to be honest, tbh, hm+, um+, uh+, ah, thanks, thank you, thx, great,
  perfect, cool, nice, makes sense, sounds good, fine, alright, right, sure, careful, as you know, as i said,
  as i mentioned, as mentioned, as always, as for me, like i said, again, basically, then, now, finally, after some thought,
  after much thought, after a lot of thought, in the end, look, listen, see, true, just, first, firstly, second,
  secondly, lastly, because, since, though, although, unfortunately, luckily, personally, obviously, of course, update,
  quick note, quick update, some context, some background, context, background, a bit about me, about me, recap, ps,
  to be precise, to be exact, to be clear, to be fair, in real life, one more thing, another thing, good question, good idea, great idea
`);

export const leads: [RegExp, LeadEffect][] = (
  [
    [`${polite}${askingYou}${polite}${remember}${content}`, { request: 'remember' }],
    [
      `${phrases('for future reference, for the record, for your record, for the future, note to self, reminder, important')}${after}(?:that\\s+)?`,
      { request: 'remember' },
    ],
    [
      `${phrases('fyi, just fyi, for your info, for your information, just so you know, so you know, heads up, you should know that')}${after}`,
      { request: 'mention' },
    ],
    [`(?:${correction}|${plainNo})(?: about [^,:.;!?]{1,60})?${after}`, { corrects: true }],
    ['(?:[-*•]|\\d{1,2}[.)])\\s+', {}],
    [`${filler}${after}`, {}],
    ['recap of [^,:]{1,30}:\\s*', {}],
    ['(?:[a-z]{3,12} )?(?:news|update|intro|introduction|announcement|info|life update)[:!–—]\\s*', {}],
    ["in (?:the|our|today's|yesterday's|a) (?:[^\\s,:.;]{1,20} ){0,3}meeting(?: today| yesterday)?,?\\s+", {}],
  ] satisfies [string, LeadEffect][]
).map(([source, effect]) => [toPattern(source, 'iuy'), effect]);
