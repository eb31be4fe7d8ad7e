import type { Tables } from '../../ports/store.js';
import type { Mutation } from '../audit/audit-record.js';
import { resourceKind, resourceSession, resourceTarget } from './resource-chunks.js';

/**
 * Removes the rows of an existing resource: its own, its file's if that is in the database, and those of its memories, whose ids are
 * returned. Tell their watchers.
 */
export async function removeResource(
  tables: Tables,
  userId: string,
  resourceId: string,
): Promise<{ mutation: Mutation; memoryIds: string[] }> {
  const session = resourceSession(userId, resourceId);
  const memoryIds = await tables.memories.deleteSession({ kind: 'user', userId }, session, resourceKind);
  tables.resources.delete(resourceId);
  const mutation = { target: resourceTarget(resourceId), preEtag: null, postEtag: null, contentHash: null };
  return { mutation, memoryIds };
}
