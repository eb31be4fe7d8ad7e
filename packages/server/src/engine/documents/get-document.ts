import { Problem } from '@memhall/core';
import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import type { Tables } from '../../ports/store.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { documentThen } from './document-then.js';
import { legacyPlaces } from './find-document.js';
import { type StaleFact, staleFacts } from './freshness.js';
import { fromArtifact, type GovernedDocument } from './governed-document.js';

interface ReadDocument extends GovernedDocument {
  /** Older place where it was found, with its namespace; null if it was found at its own place. */
  migratedFrom: string | null;
  /** By the rules of the profile that the reader names; empty without one. */
  staleFacts: readonly StaleFact[];
}

/**
 * Returns a document as it is, or as it was at a moment. If the reader names a profile, tells which facts are stale by its rules.
 * Throws DOCUMENT_NOT_FOUND or PROFILE_NOT_FOUND.
 */
export function getDocument(
  engine: Engine,
  caller: Caller,
  { namespace, path, at, profileId }: DocumentPlace & { at?: Date | undefined; profileId?: string | undefined },
): Promise<ReadDocument> {
  const place = { namespace, path };
  return engine.store.read(scopeOf(caller), async (tables) => {
    const lookUp = at === undefined ? findNow : findThen(at);
    const [own, profile] = await Promise.all([
      lookUp(tables, place),
      profileId === undefined ? undefined : engine.registry.profile(tables, profileId),
    ]);
    const staleIn = ({ body }: NonNullable<Found>) =>
      profile === undefined ? [] : staleFacts(profile, body, at ?? engine.clock.now());
    if (own !== undefined) return { ...own, ...place, migratedFrom: null, staleFacts: staleIn(own) };
    for (const older of await olderPlaces(engine, tables, place)) {
      const found = await lookUp(tables, older);
      if (found === undefined) continue;
      const migratedFrom = `${older.namespace}/${older.path}`;
      return { ...found, ...place, migratedFrom, staleFacts: staleIn(found) };
    }
    throw new Problem('DOCUMENT_NOT_FOUND', `There is no document ${namespace}/${path}.`);
  });
}

type Found = Pick<GovernedDocument, 'version' | 'etag' | 'body'> | undefined;

async function findNow(tables: Tables, { namespace, path }: DocumentPlace): Promise<Found> {
  const stored = await tables.artifacts.get({ kind: 'document', folder: namespace, name: path });
  return stored && fromArtifact(stored);
}

function findThen(at: Date) {
  return async (tables: Tables, place: DocumentPlace): Promise<Found> => {
    const state = await documentThen(tables, place, at);
    return state && { version: state.version, etag: state.etag, body: state.body };
  };
}

/** Considers all profiles of the tenant, since a reader does not name one. */
async function olderPlaces(engine: Engine, tables: Tables, place: DocumentPlace): Promise<DocumentPlace[]> {
  const profiles = await engine.registry.registeredProfiles(tables);
  return profiles
    .flatMap((profile) => engine.registry.read(profile).bindings)
    .filter(({ namespace }) => namespace === place.namespace)
    .flatMap((binding) => legacyPlaces(binding, place));
}
