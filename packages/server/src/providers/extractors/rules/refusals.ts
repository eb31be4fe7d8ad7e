import type { KnownFact } from '../../../ports/extractor.js';
import { phrases } from './phrases.js';

const secretName = phrases(`
  password, passwort, pass phrase, passphrase, passcode, pin, pin code, pin number, api key, api token, access key,
  access token, auth token, bearer token, secret, secret key, private key, ssh key, licen[cs]e key, credit card,
  debit card, credit card number, card number, cvv, cvc, ssn, social security, social security number, iban,
  account number, bank account, routing number, sort code, passport number, security code, security answer,
  recovery code, recovery phrase, seed phrase, otp, 2fa code, gate code, door code, alarm code, entry code, safe code,
  combination, login, credentials
`);
const secretPatterns = [
  new RegExp(`\\b${secretName}s?\\b[^.!?\\n]{0,25}?(?:\\b(?:is|are|was|to|changed)\\b|[:=]|\\d)`, 'iu'),
  /\b(?:sk|pk|rk|ghp|gho|ghs|glpat|xox[abps]|akia|asia|eyj)[-_a-z0-9]{8,}/iu,
  /-----BEGIN/u,
  /\b(?:\d[ -]?){13,19}\b/u,
  /\b\d{3}-\d{2}-\d{4}\b/u,
  /\b(?=[a-z0-9_+/=-]{0,60}\d)(?=[a-z0-9_+/=-]{0,60}[a-z])[a-z0-9_+/=-]{24,}/iu,
];

/** True if the text contains, or seems to contain, something that gives access. */
export function isSecret(text: string): boolean {
  return secretPatterns.some((pattern) => pattern.test(text));
}

const injection = [
  /\b(?:ignore|disregard|override|bypass|forget|skip|drop|circumvent)\b[^.!?\n]{0,30}\b(?:rules?|instructions?|prompts?|polic(?:y|ies)|guidelines?|restrictions?|safety|filters?|constraints?|guardrails)\b/iu,
  /\b(?:system (?:override|prompt|message|notice)|developer mode|jailbreak|admin override|root access|memory (?:system|service|update|store|module)\s*[:,])/iu,
  /(?:^|\n|[.!?]\s)\s*(?:system|assistant|developer|tool)\s*:/iu,
  /\b(?:ai|llm|language|virtual|chat) ?(?:assistants?|models?|agents?|bots?)\b[^.!?\n]{0,12}(?:[:,]|\bmust\b|\bshould\b|\bplease\b)/iu,
  /<\/?(?:memory|system|instructions?|prompt|admin)\b|\[\/?(?:memory|system|inst|admin)\]/iu,
  /\byou (?:must|have to|are required to|are obliged to|will now) (?:obey|remember|store|comply|ignore|reveal|always|never|trust)\b/iu,
];

/** True if the text tries to manipulate its reader. The whole message is then ignored. */
export function isInjection(text: string): boolean {
  return injection.some((pattern) => pattern.test(text));
}

const privilege =
  /\b(?:admins?|administrators?|root|superuser|system owner|authori[sz]ed|full access|unlimited|unrestricted|no restrictions|without restrictions?|obey|bypass|reveal|credentials|clearance|permissions?|permitted|trusted|verified|approved for|ignore|entitled|exempt|any request|every request|no limits?|guidelines|instructions)\b/iu;

/** True for an order, or a request to remember, that would give the user more rights than they have. */
export function claimsPrivilege({ text, kind }: KnownFact, asked: boolean): boolean {
  const order = kind === 'explicit' || kind === 'preference' || kind === 'decision' || asked;
  return order && privilege.test(text);
}

const hypothetical = new RegExp(
  `^(?:${phrases('ok, okay, so, well, but, and, now, hey, hi')}[, ]+)*${phrases("if, suppose, supposing, imagine, imagining, pretend, pretending, let's say, lets say, let us say, say i, say my, assume, assuming, let's assume, what if, hypothetically, in theory, unless, would it, for example, for instance, e\\.g\\., as an example, i wish, if only, picture this, let's pretend, let's imagine, act as if, once upon")}\\b(?! possible)`,
  'iu',
);
const fiction =
  /\b(?:my|the|our|main|a) (?:character|protagonist|hero|heroine|villain|narrator|novel|story|screenplay|fanfic|comic|dungeon master|avatar|persona)\b|\bin (?:the|my|this|a|our) (?:game|story|novel|book|movie|film|dream|campaign|scene|song|poem|play|sketch|world)\b|\b(?:level|lvl) \d{1,3} \p{L}+/iu;
const irony =
  /(?:^|\s)\/s(?:\s|$|[.!])|🙄|🙃|\b(?:yeah,? right|as if\b(?! (?:it|we|they|he|she))|oh,? (?:sure|great|joy|wonderful|fantastic|how lovely)\b|sure,? because|not!|lol|lmao|rofl|just what i needed|said no one ever|how (?:nice|lovely) of)/iu;
const hearsay =
  /^(?:(?:he|she|they|someone|somebody|people|everyone|my \p{L}+(?: \p{L}+)?|a \p{L}+|the \p{L}+|\p{Lu}\p{L}+) )(?:says?|said|claims?|claimed|thinks?|thought|told|tells|believes?|wrote|writes|asked|asks|keeps saying|swears)\b/u;

/** True for a sentence that states nothing about the user: hypothetical, fictional, ironic, or someone else's words. */
export function isUnmeant(sentence: string): boolean {
  return hypothetical.test(sentence) || fiction.test(sentence) || irony.test(sentence) || hearsay.test(sentence);
}

const playBegins =
  /\b(?:role-?play(?:ing)?|let'?s play|(?:text|story) adventure|play a game|pretend (?:to be|you(?:'?re| are)|that you|i(?:'?m| am))|act as|you are now an?|you'?re now an?|stay in character|in character|be my opponent|mock interview|interview me|let'?s pretend|i(?:'?ll| will) (?:be|play) the)\b/iu;
const playEnds =
  /\b(?:(?:stop|end|finish|quit|leave|exit|pause|done with|enough of|out of) (?:the |this |our )?(?:role-?play(?:ing)?|game|adventure|character|act|scene|interview|pretending)|out of character|back to reality|in real life|seriously now|ooc)\b/iu;

type PlayTurn = 'begins' | 'ends' | 'goes on';

/** Returns whether a message starts or ends a game in which nothing is meant seriously. */
export function readPlayTurn(message: string): PlayTurn {
  if (playEnds.test(message)) return 'ends';
  return playBegins.test(message) ? 'begins' : 'goes on';
}

const withdrawal = new RegExp(
  `^(?:${phrases('oh, ok, okay, hm+, no, wait, actually, sorry, well, haha, lol, nah, and, but, um, ah')}[,.!… ]+)*(?:please )?(?:${phrases("forget that, forget it, forget what i said, forget what i just said, forget i said that, forget the last, ignore that, ignore what i said, ignore my last, disregard that, scratch that, strike that, delete that, never mind, nevermind, nvm, just kidding, only kidding, i'm kidding, i'm just kidding, i was kidding, just joking, i'm joking, i'm just joking, i was joking, only joking, kidding, jk, j\\/k, i take that back, i take it back, don't remember that, do not remember that, don't store that, don't save that, not really, i made that up, i lied")})(?=$|[^\\p{L}\\p{N}-])`,
  'iu',
);

/** True if the clause withdraws the preceding statement. */
export function withdraws(clause: string): boolean {
  return withdrawal.test(clause);
}
