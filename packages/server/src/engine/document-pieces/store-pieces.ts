import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import type { Memory, SearchForm } from '../../ports/memories.js';
import type { Tables } from '../../ports/store.js';
import type { Caller } from '../caller.js';
import type { DocumentChange } from '../documents/document-watcher.js';
import type { Language } from '../memories/analysis/language.js';
import { searchText, toSearchForm } from '../memories/analysis/to-search-form.js';
import { type CutRules, cutDocument } from './cut-document.js';
import { type FirstWritten, pieceId, pieceKind, piecePrefix, toPieceMemory } from './piece-memory.js';

/** Returns the ids of the pieces of a document that are in the index. */
export async function knownPieces(tables: Tables, { userId }: Caller, place: DocumentPlace): Promise<Set<string>> {
  const prefix = piecePrefix(place);
  const found = await tables.memories.externalIdsUnder({ kind: 'user', userId }, pieceKind, prefix);
  return new Set(found.map((externalId) => externalId.slice(prefix.length)));
}

interface Storing {
  caller: Caller;
  place: DocumentPlace;
  known: ReadonlySet<string>;
  language: Language;
  also: CutRules['also'];
  /** Vectors that were computed before, by the text that a memory is found by. */
  vectors: ReadonlyMap<string, NonNullable<SearchForm['embedding']>>;
  /** When each piece was first written, by its id; by default in the current version. */
  firstWritten?: ReadonlyMap<string, FirstWritten>;
  now: Date;
}

interface StoredPieces {
  /** Whether a new piece still needs its vector. */
  waits: boolean;
  added: Memory[];
  /** Ids. */
  gone: string[];
}

/** Makes the index have exactly the pieces of this state. Pieces that are in it already are left alone. Queued. */
export function storePieces(
  tables: Tables,
  { document, rules, writer, movedFrom }: DocumentChange,
  storing: Storing,
): StoredPieces {
  const { caller, place, known, language, also, vectors, firstWritten, now } = storing;
  if (movedFrom !== undefined) {
    tables.memories.deleteUnder({ kind: 'user', userId: caller.userId }, pieceKind, piecePrefix(movedFrom));
  }
  const wanted = new Set<string>();
  const added: Memory[] = [];
  let waits = false;
  const cutRules = { denied: rules?.binding.denied ?? [], also };
  for (const piece of document === undefined ? [] : cutDocument(document.body, cutRules)) {
    const id = pieceId(caller, place, piece);
    wanted.add(id);
    if (known.has(id) || document === undefined) continue;
    const { updated_at: at } = document.body;
    const first = firstWritten?.get(id) ?? { at: new Date(at), version: document.version, writer };
    const memory = toPieceMemory(caller, place, piece, { first, sections: rules?.profile.sections, also, now });
    const embedding = vectors.get(searchText(memory)) ?? null;
    waits ||= embedding === null;
    tables.memories.insert(memory, toSearchForm(memory, language, embedding));
    added.push(memory);
  }
  const gone = [...known].filter((id) => !wanted.has(id));
  if (gone.length > 0) tables.memories.delete(gone);
  return { waits, added, gone };
}

/**
 * Finds the pieces of the older place of a document that facts are based on. They have other ids now, with the same words. Waits for the
 * database, which a move does once in the life of a document.
 */
export async function moveEvidence(
  tables: Tables,
  caller: Caller,
  { document, rules, movedFrom }: DocumentChange,
  also: CutRules['also'],
): Promise<void> {
  if (document === undefined || movedFrom === undefined) return;
  const partition = { kind: 'user', userId: caller.userId } as const;
  const cited = new Set(await tables.facts.evidenceUnder(partition, pieceKind, piecePrefix(movedFrom)));
  if (cited.size === 0) return;
  const pieces = cutDocument(document.body, { denied: rules?.binding.denied ?? [], also });
  const moves = pieces.map((piece) => ({
    from: pieceId(caller, movedFrom, piece),
    to: pieceId(caller, document, piece),
  }));
  tables.facts.moveEvidence(moves.filter(({ from }) => cited.has(from)));
}
