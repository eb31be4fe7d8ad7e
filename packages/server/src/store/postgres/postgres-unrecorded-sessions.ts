import type { UnrecordedSession, UnrecordedSessions } from '../../ports/off-the-record.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';

interface Row {
  session_id: string;
  started_at: Date;
  until: Date | null;
}

const table = 'memhall.unrecorded_sessions';
const columns = 'session_id, started_at, until';
const ofUser = 'tenant_id = $1 AND user_id = $2';

export function postgresUnrecordedSessions(
  statements: Statements,
  { tenantId, userId }: TransactionScope,
): UnrecordedSessions {
  return {
    async among(sessionIds, now) {
      const rows = await statements.query<Row>(
        `SELECT ${columns} FROM ${table}
         WHERE ${ofUser} AND session_id = ANY ($3::text[]) AND (until IS NULL OR until > $4)`,
        [tenantId, userId, sessionIds, now],
      );
      return rows.map(fromRow);
    },

    async list({ after = '', limit, now }) {
      const rows = await statements.query<Row>(
        `SELECT ${columns} FROM ${table}
         WHERE ${ofUser} AND session_id > $3 AND (until IS NULL OR until > $4) ORDER BY session_id LIMIT $5`,
        [tenantId, userId, after, now, limit],
      );
      return rows.map(fromRow);
    },

    put({ sessionId, startedAt, until }) {
      statements.enqueue(
        `INSERT INTO ${table} (tenant_id, user_id, ${columns}) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (tenant_id, user_id, session_id) DO UPDATE SET
           started_at = excluded.started_at, until = excluded.until`,
        [tenantId, userId, sessionId, startedAt, until],
      );
    },

    delete(sessionId) {
      statements.enqueue(`DELETE FROM ${table} WHERE ${ofUser} AND session_id = $3`, [tenantId, userId, sessionId]);
    },

    async overOwners(now) {
      const rows = await statements.query<{ user_id: string }>(
        `SELECT DISTINCT user_id FROM ${table} WHERE tenant_id = $1 AND until <= $2`,
        [tenantId, now],
      );
      return rows.map(({ user_id }) => user_id);
    },

    async deleteOver(now, limit) {
      const rows = await statements.query<{ session_id: string }>(
        `DELETE FROM ${table} WHERE ${ofUser} AND session_id IN
           (SELECT session_id FROM ${table} WHERE ${ofUser} AND until <= $3 LIMIT $4) RETURNING session_id`,
        [tenantId, userId, now, limit],
      );
      return rows.map(({ session_id }) => session_id);
    },
  };
}

function fromRow({ session_id: sessionId, started_at: startedAt, until }: Row): UnrecordedSession {
  return { sessionId, startedAt, until };
}
