import { Problem } from '@memhall/core';
import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import type { Tables } from '../../ports/store.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { documentAt } from './document-at.js';
import { findDocument } from './find-document.js';
import { type DocumentBody, fromArtifact, type GovernedDocument } from './governed-document.js';

export interface ReadDocument extends GovernedDocument {
  /** Older place where it was found, with its namespace; null: at its own. */
  migratedFrom: string | null;
}

/** A document as it is, or as it was at a moment. Throws DOCUMENT_NOT_FOUND. */
export function getDocument(
  engine: Engine,
  caller: Caller,
  input: DocumentPlace & { at?: Date | undefined },
): Promise<ReadDocument> {
  const { namespace, path, at } = input;
  return engine.store.read(scopeOf(caller), async (tables) => {
    const found = at === undefined ? await findNow(engine, tables, input) : await findThen(tables, input, at);
    if (found === undefined) throw new Problem('DOCUMENT_NOT_FOUND', `There is no document ${namespace}/${path}.`);
    return found;
  });
}

async function findThen(
  tables: Tables,
  { namespace, path }: DocumentPlace,
  at: Date,
): Promise<ReadDocument | undefined> {
  const state = await documentAt(tables, { namespace, path }, { at });
  if (state === undefined) return undefined;
  const { version, etag, body } = state;
  return { namespace, path, version, etag, body: body as unknown as DocumentBody, migratedFrom: null };
}

/** Older places are those of any of the tenant's profiles: a reader names none. */
async function findNow(engine: Engine, tables: Tables, place: DocumentPlace): Promise<ReadDocument | undefined> {
  const stored = await tables.artifacts.get({ kind: 'document', folder: place.namespace, name: place.path });
  if (stored !== undefined) return { ...fromArtifact(stored), migratedFrom: null };
  const profiles = await engine.registry.registeredProfiles(tables);
  const bindings = profiles.flatMap((profile) => engine.registry.read(profile).bindings);
  for (const binding of bindings) {
    if (binding.namespace !== place.namespace || binding.legacyTemplates.length === 0) continue;
    const { document, migratedFrom } = await findDocument(tables, binding, place, undefined);
    if (document !== undefined) return { ...document, migratedFrom };
  }
  return undefined;
}
