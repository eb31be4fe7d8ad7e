import type { Tables } from '../../ports/store.js';
import type { Mutation } from '../audit/audit-record.js';
import { resourceKind, resourceSession, resourceTarget } from './resource-chunks.js';

/** Removes the rows of an existing resource: its own, its file's if that is in the database, and those of its memories. */
export function removeResource(tables: Tables, userId: string, resourceId: string): Mutation {
  tables.memories.deleteSession({ kind: 'user', userId }, resourceSession(userId, resourceId), resourceKind);
  tables.resources.delete(resourceId);
  return { target: resourceTarget(resourceId), preEtag: null, postEtag: null, contentHash: null };
}
