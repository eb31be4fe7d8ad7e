import type { TaskContext } from '../../ports/task-contexts.js';
import { contentHash, type Mutation } from '../audit/audit-record.js';

/** How the audit log names a task context. */
export function taskTarget(taskId: string): string {
  return `task/${taskId}`;
}

/** Describes a change of a task context for the audit log. `before` or `after` is undefined if there is none. */
export function taskMutation(
  taskId: string,
  before: TaskContext | undefined,
  after: TaskContext | undefined,
): Mutation {
  return {
    target: taskTarget(taskId),
    preEtag: before?.etag ?? null,
    postEtag: after?.etag ?? null,
    contentHash: after === undefined ? null : hashOf(after),
  };
}

function hashOf({ etag: _, createdAt: __, updatedAt: ___, lease: ____, ...content }: TaskContext): string {
  return contentHash(content);
}
