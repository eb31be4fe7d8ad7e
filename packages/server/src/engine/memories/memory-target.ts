import type { Memory } from '../../ports/memories.js';

/** How the audit log names a memory. */
export function memoryTarget(memory: Pick<Memory, 'id' | 'kind'>): string {
  return `memory/${memory.kind}/${memory.id}`;
}
