import type { Lexicon, ReadableAttribute } from '../../../ports/statement-reader.js';
import { formsOf, readPatternVerb, type VerbForm } from './verb-forms.js';
import { toWords } from './words.js';

/** A part of a pattern: a word in lower case, or what stands in place of one. */
export type Part = string | typeof valuePart | typeof subjectPart | typeof anyPart;
export const valuePart = '{value}';
export const subjectPart = '{subject}';
export const anyPart = '{any}';

/** state: true as long as it is said. beginning and ending: events. */
export type PatternKind = 'state' | 'beginning' | 'ending';

export interface Pattern {
  attribute: ReadableAttribute;
  kind: PatternKind;
  isLoose: boolean;
  /** Whom the clause is about: the subject of the fact, several people with the speaker, the value, or the value and the speaker. */
  opening: 'subject' | 'we' | 'value' | 'companion';
  /** It says that something is not so: "I do not like …". */
  isNegated: boolean;
  /** What follows the verb. */
  rest: readonly Part[];
}

/** A pattern of which every word must be there as it is written, from the start of the clause. */
export interface LiteralPattern {
  attribute: ReadableAttribute;
  isLoose: boolean;
  isEnding: boolean;
  parts: readonly Part[];
}

export interface PreparedLexicon extends Lexicon {
  /** Patterns by the plain form of their verb. */
  patterns: ReadonlyMap<string, readonly Pattern[]>;
  /** Plain forms and the forms of each verb by how they are written. */
  verbs: ReadonlyMap<string, readonly { lemma: string; form: VerbForm }[]>;
  /** By their first word. */
  literals: ReadonlyMap<string, readonly LiteralPattern[]>;
  /** Attributes by their names, as in "my … is". */
  names: ReadonlyMap<string, ReadableAttribute>;
  /** Words that are values of some attribute, so they are nobody's name: "German". */
  noNames: ReadonlySet<string>;
}

export function prepareLexicon(attributes: readonly ReadableAttribute[]): PreparedLexicon {
  const patterns = new Map<string, Pattern[]>();
  const literals = new Map<string, LiteralPattern[]>();
  const names = new Map<string, ReadableAttribute>();
  for (const attribute of attributes) {
    for (const name of [attribute.name, ...attribute.synonyms]) addOnce(names, toNoun(name), attribute);
    const sources = [
      ...attribute.patterns.map((text) => ({ text, isLoose: false, isEnding: false })),
      ...attribute.loosePatterns.map((text) => ({ text, isLoose: true, isEnding: false })),
      ...attribute.endings.map((text) => ({ text, isLoose: false, isEnding: true })),
    ];
    for (const source of sources) {
      const parts = partsOf(source.text);
      const name = source.isEnding ? undefined : possessionOf(parts);
      if (name !== undefined) {
        addOnce(names, name, attribute);
        continue;
      }
      const verbal = toVerbal(attribute, parts, source);
      for (const lemma of verbal?.lemmas ?? []) add(patterns, lemma, (verbal as Verbal).pattern);
      if (verbal === undefined) add(literals, parts[0] ?? '', { ...source, attribute, parts });
    }
  }
  const noNames = new Set(attributes.flatMap(({ values }) => values));
  return {
    attributes,
    patterns,
    literals,
    names,
    noNames,
    verbs: verbsOf(new Set([...patterns.keys(), 'be', 'change', 'become'])),
  };
}

/** "status of" is a status. */
function toNoun(name: string): string {
  return name.toLowerCase().replace(/ of$/, '');
}

/** Returns the noun of a pattern such as `my shoe size is {value}`. */
function possessionOf(parts: readonly Part[]): string | undefined {
  const isNoun = (parts[0] === 'my' || parts[0] === 'our') && /^(?:is|are)$/.test(parts.at(-2) ?? '');
  return isNoun && parts.at(-1) === valuePart && parts.length > 3 ? parts.slice(1, -2).join(' ') : undefined;
}

interface Verbal {
  lemmas: readonly string[];
  pattern: Pattern;
}

const openings: Readonly<Record<string, Pattern['opening']>> = {
  i: 'subject',
  [subjectPart]: 'subject',
  we: 'we',
  [valuePart]: 'value',
};

function toVerbal(
  attribute: ReadableAttribute,
  [first = '', ...others]: readonly Part[],
  { isLoose, isEnding }: { isLoose: boolean; isEnding: boolean },
): Verbal | undefined {
  const isCompanion = first === valuePart && others[0] === 'and' && others[1] === 'i';
  if (isCompanion) others.splice(0, 2);
  const opening = isCompanion ? 'companion' : Object.hasOwn(openings, first) ? openings[first] : undefined;
  const isNegated = others[0] === 'do' && others[1] === 'not';
  const hasBeen = others[0] === 'have' && others[1] === 'been';
  const [word, ...rest] = isNegated ? others.slice(2) : hasBeen ? ['was', ...others.slice(2)] : others;
  if (opening === undefined || word === undefined || word.startsWith('{')) return undefined;
  const { lemmas, isPast } = readPatternVerb(word);
  const kind = isEnding ? 'ending' : isPast ? 'beginning' : 'state';
  return { lemmas, pattern: { attribute, kind, isLoose, opening, isNegated, rest } };
}

function partsOf(pattern: string): Part[] {
  return pattern
    .split(/(\{(?:value|subject|any)\})/)
    .flatMap((piece) => (piece.startsWith('{') ? [piece] : toWords(piece).map(({ lower }) => lower)));
}

function verbsOf(lemmas: Iterable<string>): PreparedLexicon['verbs'] {
  const verbs = new Map<string, { lemma: string; form: VerbForm }[]>();
  for (const lemma of lemmas) for (const [word, form] of formsOf(lemma)) add(verbs, word, { lemma, form });
  return verbs;
}

function add<V>(map: Map<string, V[]>, key: string, value: V): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}

function addOnce<V>(map: Map<string, V>, key: string, value: V): void {
  if (!map.has(key)) map.set(key, value);
}
