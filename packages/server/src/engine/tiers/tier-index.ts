import { fromTierLabel, type Json } from '@memhall/core';
import type { Memory, SearchForm } from '../../ports/memories.js';
import type { Tables } from '../../ports/store.js';
import type { Mutation } from '../audit/audit-record.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import type { Language } from '../memories/analysis/language.js';
import { toTextForm } from '../memories/analysis/to-search-form.js';
import { tellRemoved } from '../memories/memory-watcher.js';
import { givenText, type NewMemory, toMemory } from '../memories/new-memory.js';
import { formTextsTask, sizeOfTexts } from '../memories/read-texts.js';
import { prepareMemories, storeMemories } from '../memories/remember.js';
import { readLong } from '../read-long.js';
import { PieceOrigins } from './piece-origins.js';
import { cutTier } from './tier-pieces.js';
import { type TierPlace, tierKind } from './tier-place.js';
import { sessionOf, toPieceColumns } from './tier-session.js';

/** Maximum length of a piece in characters. Hits show whole pieces. */
export const maxPieceLength = 500;
/** A write that adds more pieces than this leaves their embedding to the background job. */
const embedAtOnce = 32;
/** More pieces than the largest document can have. */
const maxPieces = 1_000_000;

/** The data needed to update the search index of a tier's text within a transaction. */
export interface TierIndex {
  language: Language;
  /** Search forms by their text, with vectors if they are few. */
  forms: ReadonlyMap<string, SearchForm>;
  /** Who wrote the text, if somebody else brings it into the index. */
  writtenBy?: string | undefined;
}

/** `known` are the stored pieces, `text` is the expected new text. Only its new pieces are embedded. */
export async function prepareTierIndex(
  engine: Engine,
  caller: Caller,
  place: TierPlace,
  { known, text }: { known: readonly Memory[]; text: string },
): Promise<TierIndex> {
  const language = await engine.tenants.language(scopeOf(caller));
  const there = new Set(known.map(({ content }) => content));
  const fresh = toInputs(place, text).filter(({ content }) => !there.has(content));
  const isMany = fresh.length > embedAtOnce;
  const forms = isMany
    ? await readForms(engine, fresh, language)
    : (await prepareMemories(engine, caller, fresh)).forms;
  return { language, forms: new Map(fresh.map(({ content }, index) => [content, forms[index] as SearchForm])) };
}

async function readForms(engine: Engine, inputs: readonly NewMemory[], language: Language): Promise<SearchForm[]> {
  const memories = inputs.map(givenText);
  const forms = await readLong(engine, formTextsTask, { memories, language }, sizeOfTexts(memories));
  return forms.map((form) => ({ ...form, embedding: null }));
}

/** Returns the pieces of a text that are in the index. */
export async function indexedPieces(tables: Tables, caller: Caller, place: TierPlace, now: Date): Promise<Memory[]> {
  const partition = { kind: 'user', userId: caller.userId } as const;
  const filter = { kinds: [tierKind], sessionIds: [sessionOf(place)] };
  const listed = await tables.memories.list([partition], filter, { before: undefined, limit: maxPieces, now });
  return listed.map(({ memory }) => memory);
}

/** Returns whether the index has exactly this text for the place. */
export function isIndexed(place: TierPlace, text: string, known: readonly Memory[]): boolean {
  const { changed, gone } = compare(place, text, known);
  return changed.length === 0 && gone.length === 0;
}

/**
 * Makes the index have exactly this text for the place. Unchanged pieces are left alone. What was based on words that are gone is taken
 * back. Returns whether a stored piece still needs its vector, and the mutations to record.
 */
export async function storeTierIndex(
  engine: Pick<Engine, 'memoryWatchers'>,
  tables: Tables,
  caller: Caller,
  place: TierPlace,
  text: string,
  { language, forms, writtenBy, now }: TierIndex & { now: Date },
): Promise<{ waits: boolean; mutations: Mutation[] }> {
  const known = await indexedPieces(tables, caller, place, now);
  const { changed, gone } = compare(place, text, known);
  const origins = new PieceOrigins(known);
  const memories = changed.map((input) => {
    const origin = origins.of(input.content);
    const memory = toMemory(caller, { ...input, ...origin }, { text: givenText(input), now });
    return writtenBy === undefined || origin.derivedFrom !== undefined ? memory : { ...memory, author: writtenBy };
  });
  const formOf = (memory: Memory) => forms.get(memory.content) ?? { ...toTextForm(memory, language), embedding: null };
  const givenIds = changed.flatMap(({ id }) => id ?? []);
  const stored = { memories, givenIds, forms: memories.map(formOf), found: [], now };
  const { remembered } = await storeMemories(tables, caller, stored);
  if (gone.length > 0) tables.memories.delete(gone.map(({ id }) => id));
  const { moves, lost } = followWords(
    known,
    gone,
    remembered.map(({ memory }) => memory),
  );
  tables.facts.moveEvidence(moves);
  return {
    waits: stored.forms.some(({ embedding }) => embedding === null),
    mutations: await tellRemoved(engine, tables, lost, now),
  };
}

/** A piece is identified by its position, so an inserted line moves the words of all later ones. Returns where words went. */
function followWords(known: readonly Memory[], gone: readonly Memory[], stored: readonly Memory[]) {
  const contents = new Map(stored.map(({ id, content }) => [id, content]));
  const isReworded = ({ id, content }: Memory) => (contents.get(id) ?? content) !== content;
  const left = [...gone, ...known.filter(isReworded)];
  const now = new Map(stored.map(({ id, content }) => [content, id]));
  const moves = left.flatMap(({ id, content }) => {
    const to = now.get(content);
    return to === undefined ? [] : [{ from: id, to }];
  });
  const moved = new Set(moves.map(({ from }) => from));
  return { moves, lost: left.map(({ id }) => id).filter((id) => !moved.has(id)) };
}

function compare(place: TierPlace, text: string, known: readonly Memory[]) {
  const there = new Map(known.map((one) => [one.externalId, one]));
  const wanted = toInputs(place, text);
  const names = new Set(wanted.map(({ externalId }) => externalId ?? null));
  return {
    changed: wanted.filter((input) => !isSame(there.get(input.externalId ?? null), input)),
    gone: known.filter(({ externalId }) => !names.has(externalId)),
  };
}

function toInputs(place: TierPlace, text: string): NewMemory[] {
  const { tier, label } = place;
  const key = tier === 'daily' ? fromTierLabel(label)?.key : undefined;
  return cutTier(text, maxPieceLength).map((piece, index) => ({
    kind: tierKind,
    content: piece.text,
    externalId: `${place.path}#${index}`,
    ...toPieceColumns(place),
    occurredAt: key === undefined ? undefined : new Date(`${key}T00:00:00Z`),
    metadata: { label, line: piece.line } satisfies { [key: string]: Json },
  }));
}

function isSame(there: Memory | undefined, { content, metadata }: NewMemory): boolean {
  return there?.content === content && there.metadata.line === metadata?.line;
}
