import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import type { Memory, SearchForm } from '../../ports/memories.js';
import type { Tables } from '../../ports/store.js';
import type { Caller } from '../caller.js';
import type { DocumentChange } from '../documents/document-watcher.js';
import type { Engine } from '../engine.js';
import type { Language } from '../memories/analysis/language.js';
import { searchText } from '../memories/analysis/to-search-form.js';
import { toMemory } from '../memories/new-memory.js';
import { toOrigin } from '../memories/origin-of-write.js';
import { readLongBetween } from '../read-long.js';
import type { SlowResults } from '../slow-results.js';
import { type CutRules, cutDocument } from './cut-document.js';
import { type FirstWritten, pieceId, pieceKind, piecePrefix } from './piece-memory.js';
import { readPiecesTask } from './read-pieces.js';

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
  /** What pieces were at the place that the document was moved from, by their ids now. */
  moved?: ReadonlyMap<string, Memory>;
  now: Date;
  /** Reads the pieces of a long document. */
  slow: SlowResults;
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
  engine: Pick<Engine, 'threads'>,
  tables: Tables,
  { document, rules, writer, movedFrom }: DocumentChange,
  storing: Storing,
): StoredPieces {
  const { caller, place, known, language, also, vectors, firstWritten = new Map(), moved, now, slow } = storing;
  if (movedFrom !== undefined) {
    tables.memories.deleteUnder({ kind: 'user', userId: caller.userId }, pieceKind, piecePrefix(movedFrom));
  }
  const added: Memory[] = [];
  let waits = false;
  let wanted = new Set<string>();
  if (document !== undefined) {
    const { schema_id, content, updated_at: at } = document.body;
    const reading = {
      ...{ owner: { tenantId: caller.tenantId, userId: caller.userId }, place: { ...place }, language, known },
      body: { schema_id, content },
      ...{ rules: { denied: rules?.binding.denied ?? [], also }, sections: rules?.profile.sections },
      ...{ version: document.version, versions: new Map([...firstWritten].map(([id, { version }]) => [id, version])) },
    };
    const pieces = readLongBetween(engine, slow, readPiecesTask, reading, JSON.stringify(content).length);
    wanted = new Set(pieces.wanted);
    for (const { id, input, read } of pieces.fresh) {
      const first = firstWritten.get(id) ?? { at: new Date(at), writer };
      const former = moved?.get(id);
      const made = { ...input, occurredAt: former?.occurredAt ?? first.at, derivedFrom: former && toOrigin(former) };
      const memory = toMemory({ ...caller, ...first.writer }, made, { text: read.text, now });
      const embedding = vectors.get(searchText(memory)) ?? null;
      waits ||= embedding === null;
      tables.memories.insert(memory, { ...read.form, embedding });
      added.push(memory);
    }
  }
  const gone = [...known].filter((id) => !wanted.has(id));
  if (gone.length > 0) tables.memories.delete(gone);
  return { waits, added, gone };
}

/**
 * Returns the pieces of the older place of a document that was moved, by the ids that they have now. Lets facts that are based on them find
 * them. Waits for the database, which a move does once.
 */
export async function movePieces(
  tables: Tables,
  caller: Caller,
  { document, rules, movedFrom }: DocumentChange,
  also: CutRules['also'],
): Promise<Map<string, Memory>> {
  if (document === undefined || movedFrom === undefined) return new Map();
  const partition = { kind: 'user', userId: caller.userId } as const;
  const pieces = cutDocument(document.body, { denied: rules?.binding.denied ?? [], also });
  const newIds = new Map(
    pieces.map((piece) => [pieceId(caller, movedFrom, piece), pieceId(caller, document, piece)] as const),
  );
  const [cited, former] = await Promise.all([
    tables.facts.evidenceUnder(partition, pieceKind, piecePrefix(movedFrom)),
    tables.memories.findStored([...newIds.keys()]),
  ]);
  const moves = cited.flatMap((from) => {
    const to = newIds.get(from);
    return to === undefined ? [] : [{ from, to }];
  });
  if (moves.length > 0) tables.facts.moveEvidence(moves);
  return new Map(former.map((memory) => [newIds.get(memory.id) ?? '', memory]));
}
