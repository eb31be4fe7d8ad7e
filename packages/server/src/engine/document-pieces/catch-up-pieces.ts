import type { Artifact } from '../../ports/artifacts.js';
import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import type { Tables } from '../../ports/store.js';
import { mutate } from '../audit/mutate.js';
import { type Caller, scopeOf } from '../caller.js';
import { writerOf } from '../documents/document-record.js';
import { type DocumentRules, rulesOf } from '../documents/document-rules.js';
import { documentStates } from '../documents/document-states.js';
import { fromArtifact } from '../documents/governed-document.js';
import { hasMoved } from '../documents/has-moved.js';
import type { Engine } from '../engine.js';
import { tellRemoved } from '../memories/memory-watcher.js';
import { type CutRules, cutDocument } from './cut-document.js';
import { type FirstWritten, pieceId } from './piece-memory.js';
import { knownPieces, storePieces } from './store-pieces.js';

/** Makes the index have exactly the pieces of a stored document. Does nothing if the document changes at the same time. */
export async function catchUpPieces(engine: Engine, caller: Caller, place: DocumentPlace): Promise<void> {
  const { tenantId } = caller;
  const scope = scopeOf(caller);
  const also = await engine.tenants.alsoRedacted(scope);
  const found = await engine.store.read(scope, (tables) => findMissing(engine, tables, caller, place, also));
  if (found === undefined) return;
  const language = await engine.tenants.language(scope);
  const waits = await mutate(engine, caller, async (tables, now, slow) => {
    const [present, known] = await Promise.all([getStored(tables, place), knownPieces(tables, caller, place)]);
    if (present === undefined || present.etag !== found.etag) return { result: false, mutations: [] };
    const document = found.isMoved ? undefined : fromArtifact(present);
    const { rules, firstWritten } = found;
    const storing = { caller, place, known, language, also, vectors: new Map(), firstWritten, now, slow };
    const stored = storePieces(engine, tables, { document, rules }, storing);
    return { result: stored.waits, mutations: await tellRemoved(engine, tables, stored.gone, now) };
  });
  if (waits && engine.embedder !== null) engine.onUnembedded(tenantId);
}

interface Missing {
  etag: string;
  rules: DocumentRules | undefined;
  /** Whether another place is read in its stead, so that its pieces would be found twice. */
  isMoved: boolean;
  firstWritten: ReadonlyMap<string, FirstWritten>;
}

async function findMissing(
  engine: Engine,
  tables: Tables,
  caller: Caller,
  place: DocumentPlace,
  also: CutRules['also'],
): Promise<Missing | undefined> {
  const [stored, known] = await Promise.all([getStored(tables, place), knownPieces(tables, caller, place)]);
  if (stored === undefined) return undefined;
  const [rules, isMoved] = [await rulesOf(engine, tables, place), await hasMoved(engine, tables, place)];
  const cutRules = { denied: rules?.binding.denied ?? [], also };
  const ids = cutDocument(stored.body, cutRules).map((piece) => pieceId(caller, place, piece));
  const isMissing = !isMoved && ids.some((id) => !known.has(id));
  const firstWritten = isMissing ? await findFirstWritten(tables, caller, place, cutRules) : new Map();
  return { etag: stored.etag, rules, isMoved, firstWritten };
}

/** Finds out since which version, and by whom, each piece has been in the document, as far as its records go back. */
async function findFirstWritten(
  tables: Tables,
  caller: Caller,
  place: DocumentPlace,
  rules: CutRules,
): Promise<Map<string, FirstWritten>> {
  let since = new Map<string, FirstWritten>();
  try {
    for await (const { version, state, record } of documentStates(tables, place)) {
      const present = state === undefined ? [] : cutDocument(state.body, rules);
      const ids = present.map((piece) => pieceId(caller, place, piece));
      const at = state === undefined ? new Date(0) : new Date(state.body.updated_at);
      const writer = record && writerOf(record);
      since = new Map(ids.map((id) => [id, since.get(id) ?? { at, version, writer }]));
    }
  } catch {
    // Records are missing: their check reports it. The times that are known so far are the best there are.
  }
  return since;
}

function getStored(tables: Tables, { namespace, path }: DocumentPlace): Promise<Artifact<'document'> | undefined> {
  return tables.artifacts.get({ kind: 'document', folder: namespace, name: path });
}
