import type { Session } from '../../ports/sessions.js';
import { contentHash, type Mutation } from '../audit/audit-record.js';

/** How the audit log tells a change of a session; undefined: there was, or is, none. */
export function sessionMutation(sessionId: string, before: Session | undefined, after: Session | undefined): Mutation {
  return {
    target: `session/${sessionId}`,
    preEtag: before?.etag ?? null,
    postEtag: after?.etag ?? null,
    contentHash: after === undefined ? null : hashOf(after),
  };
}

function hashOf({ etag: _, createdAt: __, lastInteraction, ...content }: Session): string {
  return contentHash({ ...content, lastInteraction: lastInteraction.toISOString() });
}
