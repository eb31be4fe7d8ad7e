import type { Episode, Episodes } from '../../ports/episodes.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';

interface Row {
  event_id: string;
  session_id: string;
  app_id: string;
  project_id: string;
  last_seq: string;
  status: Episode['status'];
  attempts: number;
  created_at: Date;
  updated_at: Date;
}

const columns = 'event_id, session_id, app_id, project_id, last_seq, status, attempts, created_at, updated_at';
const ofChat = 'tenant_id = $1 AND user_id = $2 AND session_id = $3 AND app_id = $4 AND project_id = $5';

export function postgresEpisodes(statements: Statements, { tenantId, userId }: TransactionScope): Episodes {
  return {
    async get(eventId) {
      const rows = await statements.query<Row>(
        `SELECT ${columns} FROM memhall.episodes WHERE tenant_id = $1 AND user_id = $2 AND event_id = $3`,
        [tenantId, userId, eventId],
      );
      return rows[0] && fromRow(rows[0]);
    },

    async closedUpTo({ sessionId, appId, projectId }) {
      const rows = await statements.query<{ last: string | null }>(
        `SELECT max(last_seq) AS last FROM memhall.episodes WHERE ${ofChat}`,
        [tenantId, userId, sessionId, appId, projectId],
      );
      return BigInt(rows[0]?.last ?? 0);
    },

    put(episode) {
      const { eventId, sessionId, appId, projectId, lastSeq, status, attempts, createdAt, updatedAt } = episode;
      const seq = lastSeq.toString();
      statements.enqueue(
        `INSERT INTO memhall.episodes (tenant_id, user_id, ${columns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
         ON CONFLICT (tenant_id, user_id, event_id) DO UPDATE SET
           status = excluded.status, attempts = excluded.attempts, updated_at = excluded.updated_at`,
        [tenantId, userId, eventId, sessionId, appId, projectId, seq, status, attempts, createdAt, updatedAt],
      );
      statements.enqueue(`DELETE FROM memhall.episodes WHERE ${ofChat} AND status <> 'waiting' AND last_seq < $6`, [
        tenantId,
        userId,
        sessionId,
        appId,
        projectId,
        seq,
      ]);
    },

    async waiting(since, limit) {
      const rows = await statements.query<{ user_id: string; event_id: string }>(
        `SELECT user_id, event_id FROM memhall.episodes
         WHERE tenant_id = $1 AND status = 'waiting' AND updated_at <= $2 ORDER BY updated_at LIMIT $3`,
        [tenantId, since, limit],
      );
      return rows.map(({ user_id, event_id }) => ({ userId: user_id, eventId: event_id }));
    },
  };
}

function fromRow(row: Row): Episode {
  return {
    eventId: row.event_id,
    sessionId: row.session_id,
    appId: row.app_id,
    projectId: row.project_id,
    lastSeq: BigInt(row.last_seq),
    status: row.status,
    attempts: row.attempts,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
