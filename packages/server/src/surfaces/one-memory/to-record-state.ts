import type { UnrecordedSession } from '../../ports/off-the-record.js';

export function toRecordState({ sessionId, startedAt, until }: UnrecordedSession) {
  return {
    session_id: sessionId,
    off_the_record: true,
    started_at: startedAt.toISOString(),
    until: until?.toISOString() ?? null,
  };
}
