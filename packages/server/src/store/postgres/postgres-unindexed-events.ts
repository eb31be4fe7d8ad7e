import type { UnindexedEvents } from '../../ports/unindexed-events.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';

const own = 'tenant_id = $1 AND user_id = $2';
const waitAgain = 'ON CONFLICT (tenant_id, user_id, event_id) DO UPDATE SET since = excluded.since, sent_at = NULL';

export function postgresUnindexedEvents(
  statements: Statements,
  { tenantId, userId }: TransactionScope,
): UnindexedEvents {
  const isTrue = async (expression: string, values: unknown[]) => {
    const rows = await statements.query<{ answer: boolean }>(`SELECT ${expression} AS answer`, values);
    return rows[0]?.answer === true;
  };
  return {
    add(eventIds, now) {
      statements.enqueue(
        `INSERT INTO memhall.unindexed_events (tenant_id, user_id, event_id, since)
         SELECT $1, $2, event_id, $4 FROM unnest($3::text[]) AS given (event_id) ${waitAgain}`,
        [tenantId, userId, [...new Set(eventIds)], now],
      );
    },

    addAll(now) {
      statements.enqueue(
        `INSERT INTO memhall.unindexed_events (tenant_id, user_id, event_id, since)
         SELECT tenant_id, user_id, name, $3 FROM memhall.artifacts WHERE ${own} AND kind = 'event' ${waitAgain}`,
        [tenantId, userId, now],
      );
    },

    remove(eventIds) {
      statements.enqueue(`DELETE FROM memhall.unindexed_events WHERE ${own} AND event_id = ANY ($3::text[])`, [
        tenantId,
        userId,
        eventIds,
      ]);
    },

    markSent(eventIds, now) {
      statements.enqueue(
        `UPDATE memhall.unindexed_events SET sent_at = $4 WHERE ${own} AND event_id = ANY ($3::text[])`,
        [tenantId, userId, eventIds, now],
      );
    },

    removeSent(before) {
      statements.enqueue(`DELETE FROM memhall.unindexed_events WHERE ${own} AND sent_at < $3`, [
        tenantId,
        userId,
        before,
      ]);
    },

    async waiting(limit) {
      const rows = await statements.query<{ event_id: string }>(
        `SELECT event_id FROM memhall.unindexed_events WHERE ${own} AND sent_at IS NULL ORDER BY since, event_id LIMIT $3`,
        [tenantId, userId, limit],
      );
      return rows.map(({ event_id }) => event_id);
    },

    async notWaiting(eventIds) {
      const rows = await statements.query<{ event_id: string }>(
        `SELECT event_id FROM unnest($3::text[]) AS given (event_id) WHERE NOT EXISTS (
           SELECT 1 FROM memhall.unindexed_events AS u
           WHERE ${own} AND u.event_id = given.event_id AND sent_at IS NULL)`,
        [tenantId, userId, eventIds],
      );
      return rows.map(({ event_id }) => event_id);
    },

    allWait: () =>
      isTrue(
        `NOT EXISTS (SELECT 1 FROM memhall.artifacts AS a WHERE ${own} AND kind = 'event' AND NOT EXISTS (
           SELECT 1 FROM memhall.unindexed_events AS u
           WHERE u.tenant_id = $1 AND u.user_id = $2 AND u.event_id = a.name AND u.sent_at IS NULL))`,
        [tenantId, userId],
      ),

    isBehind: (sentAfter) =>
      isTrue(`EXISTS (SELECT 1 FROM memhall.unindexed_events WHERE ${own} AND (sent_at IS NULL OR sent_at > $3))`, [
        tenantId,
        userId,
        sentAfter,
      ]),

    async owners(sentBefore) {
      const rows = await statements.query<{ user_id: string }>(
        `SELECT DISTINCT user_id FROM memhall.unindexed_events
         WHERE tenant_id = $1 AND (sent_at IS NULL OR sent_at < $2) ORDER BY user_id`,
        [tenantId, sentBefore],
      );
      return rows.map(({ user_id }) => user_id);
    },

    async backlog() {
      const rows = await statements.query<{ count: number; oldest: Date | null }>(
        `SELECT count(*)::int AS count, min(since) AS oldest FROM memhall.unindexed_events
         WHERE tenant_id = $1 AND sent_at IS NULL`,
        [tenantId],
      );
      return { count: rows[0]?.count ?? 0, oldest: rows[0]?.oldest ?? null };
    },
  };
}
