import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import type { Memory } from '../../ports/memories.js';
import type { Tables } from '../../ports/store.js';
import { type Caller, scopeOf } from '../caller.js';
import { documentOfPiece } from '../document-pieces/piece-memory.js';
import { rulesOf } from '../documents/document-rules.js';
import { fromArtifact } from '../documents/governed-document.js';
import type { Engine } from '../engine.js';
import type { LearnedMemory } from '../facts/learn-facts.js';
import { readTexts } from './read-texts.js';
import { shownValues } from './shown-values.js';
import { findAttributes, statedBy, textsOf, toLearned } from './value-lessons.js';

/** What a stored document states, and where it is. */
export interface ReadDocument {
  place: DocumentPlace;
  learned: LearnedMemory[];
}

/**
 * Reads what pieces of stored documents state, at the places that their profiles map to facts. What Memhall wrote itself states nothing.
 */
export async function readPieces(engine: Engine, caller: Caller, memories: readonly Memory[]): Promise<ReadDocument[]> {
  const documents = new Map<string, { place: DocumentPlace; pieces: Memory[] }>();
  for (const memory of memories) {
    const piece = documentOfPiece(memory);
    if (piece === undefined || memory.author === '') continue;
    const { namespace, path } = piece;
    const name = JSON.stringify([namespace, path]);
    const pieces = [...(documents.get(name)?.pieces ?? []), memory];
    documents.set(name, { place: { namespace, path }, pieces });
  }
  const read: ReadDocument[] = [];
  for (const { place, pieces } of documents.values()) {
    const found = await engine.store.read(scopeOf(caller), (tables) => find(engine, tables, caller, place, pieces));
    if (found === undefined) continue;
    const lessons = await readTexts(engine, caller, textsOf(found.stated));
    read.push({ place, learned: toLearned(found.stated, found.attributes, lessons) });
  }
  return read;
}

async function find(engine: Engine, tables: Tables, caller: Caller, place: DocumentPlace, pieces: readonly Memory[]) {
  const [stored, rules] = await Promise.all([
    tables.artifacts.get({ kind: 'document', folder: place.namespace, name: place.path }),
    rulesOf(engine, tables, place),
  ]);
  if (stored === undefined || rules === undefined) return undefined;
  const stated = statedBy(shownValues(caller, place, rules.binding, fromArtifact(stored).body), pieces);
  const attributes = await findAttributes(
    tables,
    stated.map(({ value }) => value),
  );
  return { stated, attributes };
}
