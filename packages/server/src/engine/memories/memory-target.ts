import type { Memory } from '../../ports/memories.js';

/** Returns the name of a memory in the audit log. */
export function memoryTarget(memory: Pick<Memory, 'id' | 'kind'>): string {
  return `memory/${memory.kind}/${memory.id}`;
}
