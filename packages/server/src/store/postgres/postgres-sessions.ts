import type { Json } from '@memhall/core';
import type { Session, Sessions } from '../../ports/sessions.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';

interface Row {
  session_id: string;
  agent_id: string | null;
  name: string | null;
  metadata: { [key: string]: Json };
  etag: string;
  created_at: Date;
  last_interaction: Date;
}

const columns = 'session_id, agent_id, name, metadata, etag, created_at, last_interaction';
const ofUser = 'tenant_id = $1 AND user_id = $2';

export function postgresSessions(statements: Statements, { tenantId, userId }: TransactionScope): Sessions {
  return {
    async get(sessionId) {
      const rows = await statements.query<Row>(
        `SELECT ${columns} FROM memhall.sessions WHERE ${ofUser} AND session_id = $3`,
        [tenantId, userId, sessionId],
      );
      return rows[0] && fromRow(rows[0]);
    },

    async list({ before, limit }) {
      const values: unknown[] = [tenantId, userId, limit, ...(before === undefined ? [] : [before.at, before.id])];
      const rows = await statements.query<Row>(
        `SELECT ${columns} FROM memhall.sessions
         WHERE ${ofUser}${before === undefined ? '' : ' AND (last_interaction, session_id) < ($4, $5)'}
         ORDER BY last_interaction DESC, session_id DESC LIMIT $3`,
        values,
      );
      return rows.map(fromRow);
    },

    put(session) {
      statements.enqueue(
        `INSERT INTO memhall.sessions (tenant_id, user_id, ${columns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         ON CONFLICT (tenant_id, user_id, session_id) DO UPDATE SET
           agent_id = excluded.agent_id, name = excluded.name, metadata = excluded.metadata, etag = excluded.etag,
           created_at = excluded.created_at, last_interaction = excluded.last_interaction`,
        [
          tenantId,
          userId,
          session.sessionId,
          session.agentId,
          session.name,
          JSON.stringify(session.metadata),
          session.etag,
          session.createdAt,
          session.lastInteraction,
        ],
      );
    },

    delete(sessionId) {
      statements.enqueue(`DELETE FROM memhall.sessions WHERE ${ofUser} AND session_id = $3`, [
        tenantId,
        userId,
        sessionId,
      ]);
    },
  };
}

function fromRow(row: Row): Session {
  return {
    sessionId: row.session_id,
    agentId: row.agent_id,
    name: row.name,
    metadata: row.metadata,
    etag: row.etag,
    createdAt: row.created_at,
    lastInteraction: row.last_interaction,
  };
}
