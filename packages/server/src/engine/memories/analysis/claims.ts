import { englishStopWords } from '@memhall/core';
import { withoutRole } from './spoken-role.js';

/**
 * Whose words a text has: the user's ("I"), those of somebody who speaks to the user ("you"), those of a record that names the user
 * ("the user"), or those of somebody who has nothing to do with the user.
 */
export type Voice = 'user' | 'assistant' | 'record' | 'other';

export interface ClaimWord {
  /** In lower case, in one spelling: "1,150" is "1150", "two" is "2", "lives" is "live". */
  key: string;
  isName: boolean;
  isNumber: boolean;
}

/** One reading of a clause: somebody or something, a verb, and what is said with it. Most readings of a clause mean nothing. */
export interface Claim {
  /** Two claims about the same have the same key: "my doctor is …" and "the doctor of the user is …". */
  key: string;
  /** Words that say whom or what it is about, besides the user. */
  about: number;
  isOfUser: boolean;
  verb: string;
  said: readonly ClaimWord[];
  isNegated: boolean;
  /** The clause as it was written. */
  text: string;
}

const longestRead = 8000;
const mostClauses = 60;
const mostWords = 40;
const user = '\u0000user';

const clauseEnd =
  /(?<=[.!?;])\s+|[\r\n]+|,\s+|\s+[–—-]\s+|\s+(?:but|and|because|since|while|although|that|which|who|where|so)\s+/u;
const titles = /\b(dr|mr|mrs|ms|prof)\.?\s+(?=\p{Lu})/giu;
/** What states nothing about now, or stands beside another statement. */
const noStatement =
  /\?["')\s]*$|\b(?:if|would|can|could|should|might|may|must|shall|will|wish|wishes|want|wants|hope|hopes|plan|plans|used to|was|were|had|been|formerly|previously|also|another|other|too|either|maybe|perhaps)\b/iu;
const negation = /\b(?:not|never|no longer|cannot)\b|n['’]t\b/iu;
const negations = /\b(?:do |does )?(?:not|never|no longer)\b|\b(?:any ?more|any longer)\b/giu;
/** Other words for "is". */
const changed =
  /\b(?:(?:has|have|is|are|was|were) )?(?:been )?(?:changed|switched|updated|corrected|set|replaced) (?:to|by|with)\b|\b(?:has become|becomes|became|is now|are now)\b|:(?=\s)/giu;
const wordPattern = /[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}.:'@+_/-]|,(?=\d))*/gu;
/** Ways of saying where somebody lives and works. */
const sameWords: readonly [RegExp, string][] = [
  [
    /\b(?:(?:has|have) )?(?:moved|relocated) (?:back )?to\b|\b(?:resides? in|(?:is|am|are) (?:based|living) in)\b/giu,
    ' lives in ',
  ],
  [/\b(?:works? for|(?:is|am|are) employed (?:at|by|with))\b/giu, ' works at '],
  [/\b(?:was|were) born\b/giu, ' is born'],
];
/** "User: tutor: Piet". */
const ofUser = /^(?:the )?user(?: \p{L}+)?:\s+(?=[^:]{1,40}:)/iu;
const mentionsUser = /\b(?:user|i|my|our|you|your)\b/iu;
const firstPerson = new Set('i me my mine our we us ich'.split(' '));
const secondPerson = new Set('you your yours'.split(' '));
/** Words that say nothing about whom or what a clause is about. */
export const prepositions = new Set('at in on with to from as by for about under into of'.split(' '));
const fillers = new Set(
  `the a an of new current actual present now currently info information profile data record records entry note notes update
  correction reminder fyi please from on as today in at this own really actually still always just usually already all both`.split(
    /\s+/,
  ),
);
const numbers = new Map(
  'two three four five six seven eight nine ten eleven twelve'.split(' ').map((word, index) => [word, `${index + 2}`]),
);

/** Returns what a question asks for or a claim is about, besides the user, in a form in which two can be compared. */
export function topicOf(words: string | Claim): string {
  const given = typeof words === 'string' ? toWords(words, 'user').map(({ key }) => key) : keysOf(words);
  const content = given.filter((key) => key !== user && key !== 'is' && isContent(key) && !englishStopWords.has(key));
  return [...new Set(content)].sort().join(' ');
}

function keysOf({ key, about, verb }: Claim): string[] {
  return about === 0 ? [verb] : (key.split('|')[0]?.split(' ') ?? []);
}

/** Returns what a text claims, in English. Bounded, whatever the length of the text. */
export function readClaims(text: string, voice: Voice): Claim[] {
  const given = text.slice(0, longestRead);
  const own = ofUser.test(given) ? given : withoutRole(given);
  const clauses = own
    .replaceAll('’', "'")
    .replaceAll(titles, '')
    .replaceAll(/(?<=\b(?:i|you|we|they))'(?:m|re)\b/giu, ' is')
    .split(clauseEnd);
  return clauses.slice(0, mostClauses).flatMap((clause) => readClause(clause.trim(), voice));
}

function readClause(clause: string, voice: Voice): Claim[] {
  const same = sameWords.reduce((text, [pattern, word]) => text.replaceAll(pattern, word), withoutLabel(clause));
  const told = same.replace(ofUser, "the user's ").replaceAll(changed, ' is ');
  const plain = told.replaceAll(/n't\b/giu, ' not').replaceAll(negations, ' ');
  if (noStatement.test(plain)) return [];
  const words = toWords(plain, voice);
  const way = words.length > mostWords ? undefined : wayOf(words, clause);
  if (way === undefined) return [];
  const isNegated = negation.test(told);
  return splitsOf(words, way).map((split) => ({ ...split, isNegated, text: clause }));
}

/** "Update: the user lives in Rome." */
function withoutLabel(clause: string): string {
  const [, label = '', rest = ''] = /^([^:]{1,40}):\s+(.*)$/su.exec(clause) ?? [];
  return mentionsUser.test(rest) && !mentionsUser.test(label) ? rest : clause;
}

/** Returns the ways of reading a clause: which of its words is the verb is not known, unless it is "is". */
function splitsOf(words: readonly ReadWord[], way: Way): Omit<Claim, 'isNegated' | 'text'>[] {
  const found: Omit<Claim, 'isNegated' | 'text'>[] = [];
  const about = new Set<string>();
  for (const [at, { key }] of words.slice(0, -1).entries()) {
    const isOfUser = about.has(user);
    const others = about.size - Number(isOfUser);
    const mayBeVerb = key === 'is' || (way !== 'thing' && isContent(key));
    if (mayBeVerb && (way === 'person' ? isOfUser : others > 0)) {
      const subject = [...about].sort().join(' ');
      found.push({ key: `${subject}|${key}`, about: others, isOfUser, verb: key, said: words.slice(at + 1) });
      if (way === 'person' || key === 'is') break;
    }
    if (!fillers.has(key) && (key !== 'is' || about.size > 0)) about.add(key);
  }
  return found;
}

function isContent(key: string): boolean {
  return key !== user && !fillers.has(key) && !prepositions.has(key);
}

/** Returns undefined if the clause does not begin with what it is about. */
function wayOf(words: readonly ReadWord[], clause: string): Way | undefined {
  const first = words.find(({ key }) => !fillers.has(key));
  if (first?.key === user) return first.isPerson ? 'person' : 'owned';
  const named = words.findIndex(({ key }) => key === user);
  const verb = words.findIndex(({ key }, at) => at > 0 && key === 'is');
  const before = words.slice(0, named).filter(({ key }) => key !== 'the');
  if (named > 0 && (verb === -1 || verb > named || before[0]?.key === 'is') && before.at(-1)?.key === 'of')
    return 'owned';
  const isThing = named === -1 && /^(?:the\s|\p{Lu})/u.test(clause) && !clause.includes(':');
  return isThing && words.slice(0, verb).every(({ isNumber }) => !isNumber) ? 'thing' : undefined;
}

/** "I …"; "my doctor …" or "the doctor of the user …"; "the report …". */
type Way = 'person' | 'owned' | 'thing';

interface ReadWord extends ClaimWord {
  /** The user as somebody who does something: "I", and not "my". */
  isPerson: boolean;
}

function toWords(clause: string, voice: Voice): ReadWord[] {
  return [...clause.matchAll(wordPattern)].flatMap(({ 0: found, index }): ReadWord[] => {
    const written = found.replace(/[.:'/-]+$/u, '');
    const owner = written.replace(/'s$/u, '');
    const key = keyOf(owner.toLowerCase(), voice);
    const isNumber = /\d/.test(key);
    const isName = !isNumber && index > 0 && /^\p{Lu}|^\p{Ll}+\p{Lu}/u.test(written);
    return [
      { key, isNumber, isName, isPerson: key === user && owner === written && !/^(?:my|mine|our|your)/iu.test(owner) },
    ];
  });
}

function keyOf(lower: string, voice: Voice): string {
  if (voice !== 'other' && lower === 'user') return user;
  if (voice === 'user' && firstPerson.has(lower)) return user;
  if (voice === 'assistant' && secondPerson.has(lower)) return user;
  if (/^(?:am|is|are|be)$/.test(lower)) return 'is';
  if (/^\d/.test(lower)) return lower.replaceAll(/,(?=\d{3})/g, '').replaceAll(/(?<=\d)\.(?=\d\d\b)/g, ':');
  if (lower === 'has') return 'have';
  return numbers.get(lower) ?? singular(lower);
}

/** "lives" and "live", "goes" and "go". */
function singular(word: string): string {
  if (word.length < 4 || /(?:ss|us|is)$/.test(word) || !word.endsWith('s')) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.replace(/(?<=o|ch|sh|x|ss)es$|s$/, '');
}
