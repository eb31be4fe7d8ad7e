import type { ConversationDigest, ConversationMessage } from '../../../ports/extractor.js';
import { maxDigestLength, maxKeywords } from '../../../ports/extractor.js';
import { wordsOf } from '../rules/compare.js';
import { shorten } from '../rules/digest.js';
import type { DigestProposal } from './answer.js';
import { isInSentence, tellingWords } from './quote.js';
import type { ReadableMessage, Sentence } from './readable-conversation.js';
import type { OnRefused } from './refusal.js';

const longestKeyword = 40;
/** Further quotes and keywords are ignored. */
const mostLookedAt = 50;

/** Returns the user's sentences that the model points to, in their original words; undefined if none of them exists. */
export function checkDigest(
  { quotes, keywords }: DigestProposal,
  conversation: readonly ReadableMessage[],
  messages: readonly ConversationMessage[],
  onRefused: OnRefused,
): ConversationDigest | undefined {
  const ignored = Math.max(quotes.length - mostLookedAt, 0) + Math.max(keywords.length - mostLookedAt, 0);
  if (ignored > 0) onRefused('limit', ignored);
  const chosen = chooseSentences(quotes.slice(0, mostLookedAt), conversation, onRefused);
  const places = [...new Set(chosen.flatMap((sentence) => sentence.messages))];
  const [start, end] = [places[0], places.at(-1)];
  if (start === undefined || end === undefined) return undefined;
  return {
    text: chosen.map(({ text }) => shorten(text)).join(' '),
    keywords: checkKeywords(keywords.slice(0, mostLookedAt), conversation, onRefused),
    messageIds: places.flatMap((place) => messages[place]?.id ?? []),
    span: { start, end },
  };
}

function chooseSentences(
  quotes: DigestProposal['quotes'],
  conversation: readonly ReadableMessage[],
  onRefused: OnRefused,
): Sentence[] {
  const chosen = new Set<Sentence>();
  let room = maxDigestLength;
  for (const { message: number, text } of quotes) {
    const words = tellingWords(text);
    const cited = conversation.find(({ place, role }) => place + 1 === number && role === 'user');
    const sentence = cited?.sentences.find((said) => !said.hidden && isInSentence(words, said));
    if (sentence === undefined) {
      onRefused(cited === undefined ? 'evidence' : cited.steers ? 'steering' : 'words', 1);
      continue;
    }
    const { length } = shorten(sentence.text);
    if (chosen.has(sentence) || length > room) continue;
    chosen.add(sentence);
    room -= length + 1;
  }
  return conversation.flatMap(({ sentences }) => sentences.filter((sentence) => chosen.has(sentence)));
}

/** Returns lower-case keywords that occur in the shown text. */
function checkKeywords(
  keywords: readonly string[],
  conversation: readonly ReadableMessage[],
  onRefused: OnRefused,
): string[] {
  const said = ` ${conversation.flatMap(({ shown }) => wordsOf(shown)).join(' ')} `;
  const plain = keywords.map((keyword) => wordsOf(keyword).join(' '));
  const good = plain.filter(
    (keyword) => keyword !== '' && keyword.length <= longestKeyword && said.includes(` ${keyword} `),
  );
  if (good.length < plain.length) onRefused('words', plain.length - good.length);
  return [...new Set(good)].slice(0, maxKeywords);
}
