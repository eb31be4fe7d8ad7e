import { maxFactLength, type StatedValue } from '../../../ports/extractor.js';
import type { FactProposal } from './answer.js';
import { plainWords } from './plain-words.js';

/** Words of a text that may say the opposite, or something else than what is true now. The rules read such texts, or nobody does. */
const otherThanNow = new Set(
  `not no never nor none nothing nobody neither without hardly if would could might may maybe perhaps probably
   was were been used formerly former once ex previously almost nearly until till`.split(/\s+/),
);
const user = /^(?:me|i|myself|(?:the )?user)$/iu;

/**
 * Returns what a text states according to the model, in the words of the text; undefined if the model says nothing about it. The
 * attribute must be a known one, and value and subject must be said: else the result is the reason to refuse it.
 */
export function checkValue(
  { subject, attribute, value }: Pick<FactProposal, 'subject' | 'attribute' | 'value'>,
  text: string,
  attributes: readonly string[],
): StatedValue | 'attribute' | undefined {
  if (attribute === null || value === null) return undefined;
  const name = attributes.find((known) => known.toLowerCase() === attribute.trim().toLowerCase());
  const said = findSaid(text, value);
  const about = subject === null || user.test(subject.trim()) ? 'me' : findSaid(text, subject);
  const isNow = !plainWords(text).some((word) => otherThanNow.has(word));
  if (name === undefined || said === undefined || about === undefined || !isNow) return 'attribute';
  return { subject: about, attribute: name, value: said };
}

/** Returns words as they are in the text; undefined if they are not. */
function findSaid(text: string, words: string): string | undefined {
  if (words.trim() === '' || words.length > maxFactLength) return undefined;
  const wanted = words.trim().split(/\s+/u).map(escapeExpression).join('\\s+');
  return new RegExp(`(?<![\\p{L}\\p{N}])${wanted}(?![\\p{L}\\p{N}])`, 'iu').exec(text)?.[0];
}

function escapeExpression(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
