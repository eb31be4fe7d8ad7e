import type { Plan } from '../../ports/plans.js';
import { contentHash, type Mutation } from '../audit/audit-record.js';

/** Describes a change of a plan for the audit log. `before` or `after` is undefined if there is none. */
export function planMutation(planId: string, before: Plan | undefined, after: Plan | undefined): Mutation {
  return {
    target: `plan/${planId}`,
    preEtag: before?.etag ?? null,
    postEtag: after?.etag ?? null,
    contentHash: after === undefined ? null : hashOf(after),
  };
}

function hashOf({ etag: _, createdAt: __, updatedAt: ___, finishedAt: ____, ...content }: Plan): string {
  return contentHash(content);
}
