import type { StatedFact } from '../../../ports/statement-reader.js';
import { type ClauseContext, timesIn, valueContextOf } from './clause.js';
import { toStated } from './conclude.js';
import type { LiteralPattern } from './lexicon.js';
import { matchParts } from './match-pattern.js';
import { me } from './subjects.js';
import { readTail } from './tails.js';
import type { VerbGroup } from './verb-group.js';
import type { Word } from './words.js';

/** Words of other languages that tell of a change. */
const changeElsewhere =
  /(?<!\p{L})(?:jetzt|nun|inzwischen|mittlerweile|umgezogen|gezogen|maintenant|désormais|déménagé|ahora|mudé|mudamos|mudó)(?!\p{L})/iu;
const addedElsewhere = /(?<!\p{L})(?:auch|aussi|también)(?!\p{L})/iu;

/** Patterns without a subject, and those of other languages. */
export function readLiteral(text: string, words: readonly Word[], from: number, context: ClauseContext): StatedFact[] {
  const literals: readonly LiteralPattern[] = context.lexicon.literals.get(words[from]?.lower ?? '') ?? [];
  const { isTime, times } = timesIn(text, context, true);
  const values = valueContextOf(words, isTime, context);
  for (const { attribute, isLoose, isEnding, parts } of literals) {
    const match = matchParts(parts, from, attribute, values);
    if (match === undefined || (match.values === undefined && !isEnding)) continue;
    const tail = readTail(words, match.next, isTime);
    const isUnclear = context.isUnclear || tail.isUnclear || match.values?.isVague === true || tail.isOver;
    if (isEnding && isUnclear) return [];
    const certainty = isUnclear ? 'unclear' : isLoose ? 'yields' : 'clear';
    return (match.values?.values ?? [null]).map((value) =>
      toStated(
        { text, context, group: plainGroup, times },
        {
          subject: match.subject ?? me,
          attribute: attribute.name,
          value,
          certainty,
          tail,
          isChange: changeElsewhere.test(text),
        },
        {
          assertion: isEnding ? 'over' : 'holds',
          when: isEnding ? times.on : undefined,
          isAdded: addedElsewhere.test(text),
        },
      ),
    );
  }
  return [];
}

const plainGroup = { isAdded: false } as VerbGroup;
