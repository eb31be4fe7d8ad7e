import type { Memory } from '../../ports/memories.js';
import type { Mutation } from '../audit/audit-record.js';

/** Returns the name of a memory in the audit log. */
export function memoryTarget(memory: Pick<Memory, 'id' | 'kind'>): string {
  return `memory/${memory.kind}/${memory.id}`;
}

/** Returns what the audit log records of a written or, without a content hash, removed memory. */
export function memoryMutation(
  memory: Pick<Memory, 'id' | 'kind' | 'partition'>,
  contentHash: string | null,
): Mutation {
  const { partition } = memory;
  const change = { target: memoryTarget(memory), preEtag: null, postEtag: null, contentHash, partition };
  return partition.kind === 'namespace' ? { ...change, details: { namespace: partition.name } } : change;
}
