import { type Claim, type ClaimWord, prepositions } from './claims.js';

export type Agreement = 'same' | 'contrary' | 'unrelated';

/** Verbs that one person does with one thing at a time. */
const singleVerbs = new Set('live reside work study bank born'.split(' '));
/** Verbs that are said of many things. */
const manyVerbs = new Set(
  `like love enjoy adore hate dislike know speak own have want need eat drink play visit read watch see meet buy remember say tell
  think`.split(/\s+/),
);
const leading = new Set(
  'the a an called named now currently still actually really just my \u0000user located based listed'.split(' '),
);
const ends = new Set(
  'with since because and but who which where when while until near for so if or via now currently today already again from effective starting as'.split(
    ' ',
  ),
);
/** What somebody or something is like at the moment. */
const states =
  /\p{L}{3}(?:ed|ing|ly)$|^(?:broken|late|early|ready|ok|okay|fine|good|bad|great|nice|kind|busy|sick|ill|away|here|there|open|closed|off|on|out|up|down|free|full|available|important|very|too|quite|old|young|happy|tired|sure|right|wrong|done|gone|lost|online)$/u;
const number = /\d/;

/** Whether a claim is of a kind that is true of one thing at a time, and so is likely to be contradicted by another. */
export function isExclusive({ isOfUser, about, verb }: Claim): boolean {
  return isOfUser && (about > 0 ? verb === 'is' : singleVerbs.has(verb));
}

/** Compares two claims with the same key. Differing words alone do not make a contradiction: their kinds must be the same. */
export function compareClaims(one: Claim, other: Claim): Agreement {
  if (one.isNegated && other.isNegated) return 'unrelated';
  if (one.isNegated) return isDenied(other, one) ? 'contrary' : 'unrelated';
  if (other.isNegated) return isDenied(one, other) ? 'contrary' : 'unrelated';
  const [left, right] = [readValue(one), readValue(other)];
  if (left.words.length === 0 || right.words.length === 0) return 'unrelated';
  if (left.preposition !== right.preposition) return 'unrelated';
  if (isSame(left.words, right.words)) return 'same';
  return isAlternative(one, left, right) ? 'contrary' : 'unrelated';
}

/** Whether what is denied is what is claimed, in the same words or nearly so. */
function isDenied(claimed: Claim, denied: Claim): boolean {
  if (!claimed.isOfUser || manyVerbs.has(claimed.verb)) return false;
  const words = new Set(claimed.said.map(({ key }) => key));
  const { words: content, preposition } = readValue(denied);
  if (preposition !== readValue(claimed).preposition || states.test(content[0]?.key ?? '')) return false;
  return content.length > 0 && content.every(({ key }) => words.has(key)) && words.size <= content.length + 3;
}

interface Value {
  words: readonly ClaimWord[];
  preposition: string;
  /** What leads to it: an article, or that it is a name. */
  article: 'a' | 'the' | 'called' | '';
  /** Number of words up to the end of the clause. */
  length: number;
}

function readValue({ said }: Claim): Value {
  let [start, preposition, article]: [number, string, Value['article']] = [0, '', ''];
  for (; start < said.length; start++) {
    const key = said[start]?.key ?? '';
    if (prepositions.has(key)) preposition ||= key;
    else if (!leading.has(key)) break;
    if (key === 'called' || key === 'named') article = 'called';
    else if (article !== 'called' && /^(?:an?|the)$/.test(key)) article = key === 'the' ? 'the' : 'a';
  }
  const rest = said.slice(start);
  const end = rest.findIndex(({ key }, index) => index > 0 && ends.has(key));
  return { words: end === -1 ? rest : rest.slice(0, end), preposition, article, length: rest.length };
}

/** One says more than the other, or the same in another form: "Dr Moe", "A. Moe", "+47 900 11 223". */
function isSame(left: readonly ClaimWord[], right: readonly ClaimWord[]): boolean {
  const [few, many] = left.length < right.length ? [left, right] : [right, left];
  if (few.every((word) => many.some((other) => isForm(word.key, other.key)))) return true;
  const [digits, others] = [digitsOf(left), digitsOf(right)];
  return Math.min(digits.length, others.length) >= 6 && (digits.endsWith(others) || others.endsWith(digits));
}

function isForm(one: string, other: string): boolean {
  if (one === other) return true;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.length === 1 && !number.test(short) && long.startsWith(short);
}

function digitsOf(words: readonly ClaimWord[]): string {
  return words.map(({ key }) => key.replaceAll(/\D/g, '')).join('');
}

function isAlternative(claim: Claim, left: Value, right: Value): boolean {
  if (!claim.isOfUser && claim.about < 2) return false;
  const [before, after] = [commonStart(left.words, right.words), commonEnd(left.words, right.words)];
  const [one, other] = [left, right].map(({ words }) => words.slice(before, words.length - after));
  const kind = kindOf(one?.[0]);
  // "My goal is to pass" has no value.
  if (kind !== kindOf(other?.[0]) || (kind === 'word' && left.preposition === 'to')) return false;
  if (!claim.isOfUser || claim.about > 0) return kind !== 'word' || (claim.isOfUser && areNouns(left, right));
  if (singleVerbs.has(claim.verb)) return left.preposition !== '';
  if (claim.verb === 'is' || isEvent(claim) || before + after === 0) return false;
  if (kind === 'number') return true;
  const isShort = Math.max(one?.length ?? 0, other?.length ?? 0) <= 2;
  return isShort && after > 0 && !manyVerbs.has(claim.verb);
}

/** What took place may have taken place twice. */
function isEvent({ verb, said }: Claim): boolean {
  return verb.endsWith('ed') || said.some(({ key }) => /^(?:last|yesterday|ago|once|twice)$/.test(key));
}

/** "A nurse" and "a teacher", "called Miso" and "called Tiger", "blue" and "red"; but not "ready" and "on the table". */
function areNouns(left: Value, right: Value): boolean {
  if (left.article !== right.article) return false;
  const most = left.article === '' ? 1 : 3;
  return [left, right].every(({ words, length }) => {
    return Math.max(words.length, left.article === '' ? length : 0) <= most && !states.test(words[0]?.key ?? '');
  });
}

function kindOf(word: ClaimWord | undefined): 'number' | 'name' | 'word' {
  if (word?.isNumber) return 'number';
  return word?.isName ? 'name' : 'word';
}

function commonStart(left: readonly ClaimWord[], right: readonly ClaimWord[]): number {
  const most = Math.min(left.length, right.length) - 1;
  let count = 0;
  while (count < most && left[count]?.key === right[count]?.key) count += 1;
  return count;
}

function commonEnd(left: readonly ClaimWord[], right: readonly ClaimWord[]): number {
  return commonStart([...left].reverse(), [...right].reverse());
}
