import type { Tables } from '../../ports/store.js';
import type { Mutation } from '../audit/audit-record.js';
import { resourceKind, resourceSession, resourceTarget } from './resource-chunks.js';

/** Removes the rows of a resource that is there: itself, its file where that is in the database, the memories it was cut into. */
export function removeResource(tables: Tables, userId: string, resourceId: string): Mutation {
  tables.memories.deleteSession({ kind: 'user', userId }, resourceSession(userId, resourceId), resourceKind);
  tables.resources.delete(resourceId);
  return { target: resourceTarget(resourceId), preEtag: null, postEtag: null, contentHash: null };
}
