import { phrases, toPattern } from '../../phrases.js';

export const hypothetical = toPattern(
  `^(?:${phrases('ok, okay, so, well, but, and, now, hey, hi')}[, ]+)*${phrases("if, suppose, supposing, imagine, imagining, pretend, pretending, let's say, lets say, let us say, say i, say my, assume, assuming, let's assume, what if, hypothetically, in theory, unless, would it, for example, for instance, e\\.g\\., as an example, i wish, if only, picture this, let's pretend, let's imagine, act as if, once upon")}\\b(?! possible)`,
  'iu',
);
/** "One more week like this and I quit": a condition without "if". */
export const conditionByMore = toPattern(
  /^(?:just |only )?(?:(?:one|two|three|a few|a couple|any|once) (?:of )?more|another)\b[^,:;.!?]*\band (?:i|we)\b/iu,
);
export const fiction = toPattern(
  /\b(?:my|the|our|main|a) (?:character|protagonist|hero|heroine|villain|narrator|novel|story|screenplay|fanfic|comic|dungeon master|avatar|persona)\b|\bin (?:the|my|this|a|our) (?:game|story|novel|book|movie|film|dream|campaign|scene|song|poem|play|sketch|world)\b|\b(?:d&d|dungeons (?:and|&) dragons|rpg|larp)\b|\b(?:level|lvl) \d{1,3} \p{L}+/iu,
);
export const irony = toPattern(
  /(?:^|\s)\/s(?:\s|$|[.!])|🙄|🙃|\b(?:yeah,? right|as if\b(?! (?:it|we|they|he|she))|oh,? (?:sure|great|joy|wonderful|fantastic|how lovely)\b|sure,? because|not!|lol|lmao|rofl|just what i needed|said no one ever|how (?:nice|lovely) of)/iu,
);
const hearsay = toPattern(
  /^(?:(?:he|she|they|someone|somebody|people|everyone|my \p{L}+(?: \p{L}+)?|a \p{L}+|the \p{L}+|\p{Lu}\p{L}+) )(?:says?|said|claims?|claimed|thinks?|thought|told|tells|believes?|wrote|writes|asked|asks|keeps saying|swears)\b/u,
);

export const unmeant = [hypothetical, conditionByMore, fiction, irony, hearsay];

export const playBegins = toPattern(
  /\b(?:role-?play(?:ing)?|let'?s play|(?:text|story) adventure|play a game|pretend (?:to be|you(?:'?re| are)|that you|i(?:'?m| am))|act as|you are now an?|you'?re now an?|stay in character|in character|be my opponent|mock interview|interview me|let'?s pretend|i(?:'?ll| will) (?:be|play) the)\b/iu,
);
export const playEnds = toPattern(
  /\b(?:(?:stop|end|finish|quit|leave|exit|pause|done with|enough of|out of) (?:the |this |our )?(?:role-?play(?:ing)?|game|adventure|character|act|scene|interview|pretending)|out of character|back to reality|in real life|seriously now|ooc)\b/iu,
);

export const withdrawal = toPattern(
  `^(?:${phrases('oh, ok, okay, hm+, no, wait, actually, sorry, well, haha, lol, nah, and, but, um, ah')}[,.!… ]+)*(?:please )?(?:${phrases("forget that, forget it, forget what i said, forget what i just said, forget i said that, forget the last, ignore that, ignore what i said, ignore my last, disregard that, scratch that, strike that, delete that, never mind, nevermind, nvm, just kidding, only kidding, i'm kidding, i'm just kidding, i was kidding, just joking, i'm joking, i'm just joking, i was joking, only joking, kidding, jk, j\\/k, i take that back, i take it back, don't remember that, do not remember that, don't store that, don't save that, not really, i made that up, i lied")})(?=$|[^\\p{L}\\p{N}-])`,
  'iu',
);
