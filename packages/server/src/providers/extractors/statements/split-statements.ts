import type { PreparedLexicon } from './lexicon.js';
import { isNameWithVerb } from './read-clause.js';
import { toWords, type Word } from './words.js';

/** A part of a sentence that may state something. */
interface Piece {
  text: string;
  /** It begins with its verb, and is about the same as the one before: "… and work at Acme". */
  isContinued: boolean;
}

const joint =
  /\s*[,;:]\s+(?:(?:and|but|so|then|plus|because|while|though|und|aber|et|mais|y|pero)\s+)*|\s+[–—-]{1,2}\s+|\s+(?:and|but|so|because|while|then|plus|und|aber|et|mais|pero)\s+(?:then\s+)?/gu;
const starters = new Set("i we my our he she they no not you your ich wir je j'ai j'habite j'aime ya me".split(' '));
const skipped = new Set('now then also just recently finally currently later since that'.split(' '));

/** Divides a sentence where a new statement begins. */
export function splitStatements(sentence: string, lexicon: PreparedLexicon): Piece[] {
  const pieces: Piece[] = [];
  let start = 0;
  let isContinued = false;
  for (const match of sentence.matchAll(joint)) {
    const after = match.index + match[0].length;
    const words = toWords(sentence.slice(after, after + 120));
    const kind = beginsStatement(words, lexicon) ?? beginsValue(words, sentence.slice(start, match.index));
    const mayBeNamed = words[0]?.lower === 'i' && !match[0].includes(',');
    if (kind === undefined || (mayBeNamed && isOnlyNamed(sentence.slice(start, match.index), lexicon))) continue;
    pieces.push({ text: sentence.slice(start, match.index), isContinued });
    [start, isContinued] = [after, kind === 'verb'];
  }
  pieces.push({ text: sentence.slice(start), isContinued });
  return pieces.filter(({ text }) => text.trim() !== '');
}

/** "My number has changed, it's …". */
function beginsValue([first]: readonly Word[], before: string): 'subject' | undefined {
  return first?.lower === 'it' && /\b(?:changed|isn't \S+|is not \S+)$/iu.test(before) ? 'subject' : undefined;
}

/** "My wife and I", "Anna and I". */
function isOnlyNamed(text: string, { verbs }: PreparedLexicon): boolean {
  const words = toWords(text);
  return words.length <= 4 && !words.some(({ lower }) => verbs.has(lower));
}

function beginsStatement(words: readonly Word[], lexicon: PreparedLexicon): 'subject' | 'verb' | undefined {
  let at = 0;
  while (at < 2 && skipped.has(words[at]?.lower ?? '')) at += 1;
  const word = words[at]?.lower ?? '';
  if (starters.has(word)) return word === 'no' && words[at + 1]?.lower !== 'longer' ? undefined : 'subject';
  if (isNameWithVerb(words, at, lexicon)) return 'subject';
  const verbs = lexicon.verbs.get(word) ?? [];
  const next = words[at + 1];
  const isVerb = verbs.length > 0 && next !== undefined && !words[at]?.isFollowedByMark;
  return isVerb && !['be', 'have'].includes(verbs[0]?.lemma ?? '') ? 'verb' : undefined;
}
