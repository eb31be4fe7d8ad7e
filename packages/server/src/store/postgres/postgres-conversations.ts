import type { Conversations } from '../../ports/conversations.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';

interface Row {
  id: string;
  turns: number;
  snapshots: number;
  first_at: Date;
  last_at: Date;
}

export function postgresConversations(statements: Statements, { tenantId, userId }: TransactionScope): Conversations {
  return {
    async list({ turnKinds, after, limit, now }) {
      const rows = await statements.query<Row>(
        `WITH parts AS (
           SELECT session_id AS id, count(*) AS turns, 0 AS snapshots, min(occurred_at) AS first_at, max(occurred_at) AS last_at
           FROM memhall.memories
           WHERE tenant_id = $1 AND partition = 'u:' || $2 AND session_id IS NOT NULL AND kind = ANY ($3)
             AND (expires_at IS NULL OR expires_at > $4)
           GROUP BY session_id
           UNION ALL
           SELECT folder, 0, count(*), min(created_at), max(created_at) FROM memhall.artifacts
           WHERE tenant_id = $1 AND user_id = $2 AND kind = 'snapshot' GROUP BY folder)
         SELECT id, sum(turns)::int AS turns, sum(snapshots)::int AS snapshots, min(first_at) AS first_at, max(last_at) AS last_at
         FROM parts GROUP BY id HAVING $5::timestamptz IS NULL OR (max(last_at), id) < ($5, $6)
         ORDER BY max(last_at) DESC, id DESC LIMIT $7`,
        [tenantId, userId, turnKinds, now, after?.lastAt ?? null, after?.conversationId ?? '', limit],
      );
      return rows.map(({ id, turns, snapshots, first_at, last_at }) => ({
        ...{ conversationId: id, turns, snapshots },
        ...{ firstAt: first_at, lastAt: last_at },
      }));
    },
  };
}
