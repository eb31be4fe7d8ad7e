import type { ReadableAttribute } from '../../../ports/statement-reader.js';
import { type ClauseContext, timesIn, valueContextOf } from './clause.js';
import { readTail } from './tails.js';
import { readValues } from './values.js';
import { toWords } from './words.js';

/** Returns the values of an attribute that a clause without a verb names: "no longer in Bergen", "Oslo". */
export function readBareValue(
  text: string,
  attribute: ReadableAttribute,
  context: ClauseContext,
): { values: string[]; isOver: boolean; isContrast: boolean } | undefined {
  const words = toWords(text);
  const isContrast = words[0]?.lower === 'not';
  const isOver = isContrast || (words[0]?.lower === 'no' && words[1]?.lower === 'longer');
  let at = isContrast ? 1 : isOver ? 2 : 0;
  if (/^(?:in|at|with|for|a|an|the|it's|its)$/.test(words[at]?.lower ?? '')) at += 1;
  const { isTime } = timesIn(text, context, false);
  const found = readValues(attribute, at, valueContextOf(words, isTime, context));
  if (found === undefined) return undefined;
  const tail = readTail(words, found.next, isTime);
  return tail.isUnclear ? undefined : { values: found.values, isOver, isContrast };
}
