import type { PreparedLexicon } from './lexicon.js';
import type { VerbForm } from './verb-forms.js';
import type { Word } from './words.js';

export type Tense = 'present' | 'past' | 'perfect' | 'future';

/** How a verb is meant. */
export interface VerbGroup {
  /** Plain forms that the main verb may have. */
  lemmas: readonly string[];
  tense: Tense;
  isNegated: boolean;
  /** "never". */
  isNever: boolean;
  /** "no longer", "stopped …ing". */
  isOver: boolean;
  /** "used to". */
  isFormer: boolean;
  /** "started …ing". */
  isStarting: boolean;
  isProgressive: boolean;
  /** Said with "also". */
  isAdded: boolean;
  /** Said with "now", "just", "finally". */
  isChange: boolean;
  isUnclear: boolean;
  /** Number of the word after the verb. */
  next: number;
}

type Effect = Partial<VerbGroup> | 'unreal';

const neutral: Effect = {};
const unclear: Effect = { isUnclear: true };
const past: Effect = { tense: 'past' };
const future: Effect = { tense: 'future' };
const change: Effect = { isChange: true };

/** Words around the main verb, longest first. `unreal` says that the sentence states nothing. */
const around: [string[], Effect][] = (
  [
    ['no longer', { isOver: true }],
    ['used to', { isFormer: true, tense: 'past' }],
    ['going to, about to, gonna, set to, due to', future],
    [
      'planning to, plan to, plans to, intend to, intends to, decided to, decides to',
      { tense: 'future', isUnclear: true },
    ],
    ['seem to, seems to, appear to, appears to, tend to, tends to', unclear],
    ['happen to, happens to, continue to, continues to, still', neutral],
    [
      `want to, wants to, wanted to, would, could, should, might, may, must, shall, have to, has to, had to, need to, needs to, hope to,
       hopes to, wish, wishes, wished, hoping to, trying to, try to, tried to, supposed to, able to, can, dream of, dreaming of,
       thinking of, think of, thinking about, considering, consider, considered, almost, nearly, applied to, interviewed, 'd like, refuse to,
       refused to, pretend to, pretended to, ought, wouldn't, decided not, planning not, allowed to, prefer to, love to, like to, hate to`,
      'unreal',
    ],
    ['stopped, quit, ceased, given up, gave up, finished', { isOver: true, isStarting: true, tense: 'past' }],
    ['stop, stopping', { isOver: true, isStarting: true, tense: 'future' }],
    ['started, began, begun, resumed', { isStarting: true, isChange: true, tense: 'past' }],
    ['start, starts, starting, begin, beginning', { isStarting: true, isChange: true }],
    ['never', { isNever: true, isNegated: true }],
    ['not', { isNegated: true }],
    ['now, just, recently, finally, officially, newly, already', change],
    ['also', { isAdded: true }],
    ['will', future],
    ['did', past],
    ['do, does', neutral],
    [
      'probably, maybe, perhaps, possibly, apparently, temporarily, supposedly, usually, sometimes, mostly, partly, briefly',
      unclear,
    ],
    ['originally, formerly, previously, once', past],
    [
      'currently, really, actually, definitely, both, all, always, permanently, happily, proudly, absolutely, truly, totally, have got',
      neutral,
    ],
  ] as [string, Effect][]
)
  .flatMap(([list, effect]) => list.split(',').map((item): [string[], Effect] => [item.trim().split(/\s+/), effect]))
  .sort(([one], [other]) => other.length - one.length);
const byFirstWord = new Map<string, [string[], Effect][]>();
for (const entry of around) {
  const [[first = '']] = entry;
  byFirstWord.set(first, [...(byFirstWord.get(first) ?? []), entry]);
}

const beForms = new Set(['am', 'is', 'are', "'s", 'was', 'were', 'be', 'been', 'being']);
const haveForms = new Set(['have', 'has', 'had']);
const mostAround = 8;

/** A verb in the present tense that says nothing else. */
export const plainVerb: VerbGroup = {
  ...{
    lemmas: [],
    tense: 'present',
    isNegated: false,
    isNever: false,
    isOver: false,
    isFormer: false,
    isStarting: false,
  },
  ...{ isProgressive: false, isAdded: false, isChange: false, isUnclear: false, next: 0 },
};

/** How far the reading of a verb has come. */
interface Progress {
  group: VerbGroup;
  /** Number of the next word. */
  at: number;
  /** Forms that the next verb must have. */
  wanted: readonly VerbForm[];
}

/** Reads the verb with the words around it, from a place in a clause on. Returns undefined if nothing is stated with it. */
export function readVerbGroup(words: readonly Word[], from: number, lexicon: PreparedLexicon): VerbGroup | undefined {
  let progress: Progress = { group: plainVerb, at: from, wanted: ['present', 'past'] };
  for (let count = 0; count < mostAround; count++) {
    const found = aroundAt(words, progress.at, lexicon);
    const next = found === undefined ? readAuxiliary(words, progress, lexicon) : readAround(words, progress, found);
    if (next === 'unreal') return undefined;
    if (next === undefined) return finish(words, progress, lexicon);
    progress = next;
  }
  return undefined;
}

function readAround(
  words: readonly Word[],
  progress: Progress,
  [phrase, effect]: [string[], Effect],
): Progress | 'unreal' {
  if (effect === 'unreal' || (effect.tense === 'future' && progress.group.tense === 'past')) return 'unreal';
  const after = progress.at + phrase.length;
  const at = effect.isStarting && words[after]?.lower === 'to' ? after + 1 : after;
  const wanted: readonly VerbForm[] =
    phrase.at(-1) === 'to' ? ['present'] : effect.isStarting ? ['gerund', 'present'] : progress.wanted;
  return { group: { ...progress.group, ...effect }, at, wanted };
}

/** Returns undefined if the word is no auxiliary. */
function readAuxiliary(
  words: readonly Word[],
  { group, at }: Progress,
  lexicon: PreparedLexicon,
): Progress | undefined {
  const word = words[at]?.lower ?? '';
  const leads = (form: VerbForm) => isFollowedBy(words, at + 1, [form], lexicon);
  if ((word === "'d" || haveForms.has(word)) && leads('participle')) {
    const tense = word === "'d" || word === 'had' ? 'past' : 'perfect';
    return { group: { ...group, tense }, at: at + 1, wanted: ['participle'] };
  }
  if (!beForms.has(word) || !leads('gerund')) return undefined;
  const tense = word === 'was' || word === 'were' ? 'past' : group.tense;
  return { group: { ...group, tense, isProgressive: true }, at: at + 1, wanted: ['gerund'] };
}

function finish(
  words: readonly Word[],
  { group, at, wanted }: Progress,
  lexicon: PreparedLexicon,
): VerbGroup | undefined {
  const fitting = (lexicon.verbs.get(words[at]?.lower ?? '') ?? []).filter(({ form }) => wanted.includes(form));
  if (fitting.length === 0) return undefined;
  const lemmas = [...new Set(fitting.map(({ lemma }) => lemma))];
  // "quit" and "put" are the same in both tenses; they are mostly used of the past.
  const isPast = group.tense === 'present' && fitting.some(({ form }) => form === 'past');
  let done: VerbGroup = { ...group, lemmas, tense: isPast ? 'past' : group.tense, next: at + 1 };
  for (let count = 0; count < 3; count++) {
    const found = aroundAt(words, done.next, lexicon);
    if (found === undefined || found[1] === 'unreal' || !mayFollow(found[1], lemmas.includes('be'))) break;
    done = { ...done, ...found[1], next: done.next + found[0].length };
  }
  return done;
}

function mayFollow({ tense, isStarting, isNegated, isOver }: Partial<VerbGroup>, isBe: boolean): boolean {
  return tense === undefined && !isStarting && (isBe || !(isNegated || isOver));
}

/** Returns the phrase at a place, unless it is the main verb itself: "started at Acme". */
function aroundAt(words: readonly Word[], at: number, lexicon: PreparedLexicon): [string[], Effect] | undefined {
  const found = byFirstWord.get(words[at]?.lower ?? '')?.find(([phrase]) => isAt(words, at, phrase));
  if (found === undefined || !lexicon.verbs.has(words[at]?.lower ?? '')) return found;
  const after = at + found[0].length;
  const next = words[after]?.lower === 'to' ? words[after + 1] : words[after];
  return lexicon.verbs.has(next?.lower ?? '') ? found : undefined;
}

/** Whether a verb in one of the forms follows, or words around one. */
function isFollowedBy(
  words: readonly Word[],
  from: number,
  forms: readonly VerbForm[],
  lexicon: PreparedLexicon,
): boolean {
  let at = from;
  for (let count = 0; count < mostAround; count++) {
    const word = words[at]?.lower ?? '';
    if (word === 'been' && forms.includes('participle')) return true;
    const found = aroundAt(words, at, lexicon);
    if (found === undefined) return lexicon.verbs.get(word)?.some(({ form }) => forms.includes(form)) ?? false;
    if (found[1] === 'unreal') return found[0].length > 1 || word.endsWith('ing');
    if (found[1].isStarting || found[0].at(-1) === 'to') return true;
    at += found[0].length;
  }
  return false;
}

function isAt(words: readonly Word[], at: number, phrase: readonly string[]): boolean {
  return phrase.every((part, index) => words[at + index]?.lower === part);
}
