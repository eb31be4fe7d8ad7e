import type { Tables } from '../../ports/store.js';
import { idempotencyHorizon } from '../idempotency.js';

/** Headers have no line breaks, so no key that a caller sends equals one of these. */
function keyOf(taskId: string): string {
  return `completed task\n${taskId}`;
}

/** Remembers for a day that a task was completed, so that a request that is delivered again does not start it again. */
export function noteCompleted(tables: Tables, taskId: string, now: Date): void {
  tables.idempotencyKeys.put({ key: keyOf(taskId), payloadHash: '', result: {}, createdAt: now });
}

export async function wasCompleted(tables: Tables, taskId: string, now: Date): Promise<boolean> {
  return (await tables.idempotencyKeys.get(keyOf(taskId), idempotencyHorizon(now))) !== undefined;
}
