import type { Artifact } from '../../ports/artifacts.js';
import type { Tables } from '../../ports/store.js';
import { checkpointInterval } from './document-at.js';

/** Stores a document's new state in full if its version is a multiple of the checkpoint interval. */
export function addCheckpoint(
  tables: Tables,
  { folder, name, version, etag, body, updatedAt }: Artifact<'document'>,
): void {
  if (version % checkpointInterval !== 0) return;
  tables.documentCheckpoints.add({ namespace: folder, path: name }, { version, etag, body, at: updatedAt });
}
