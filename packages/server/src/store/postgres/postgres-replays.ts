import type { Replay, Replays } from '../../ports/replays.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';

interface Row {
  replay_id: string;
  conversation_id: string;
  snapshot_id: string;
  profile_id: string;
  status: Replay['status'];
  attempts: number;
  outcome: Replay['outcome'];
  error: string | null;
  created_at: Date;
  updated_at: Date;
  finished_at: Date | null;
}

const columns =
  'replay_id, conversation_id, snapshot_id, profile_id, status, attempts, outcome, error, created_at, updated_at, finished_at';

export function postgresReplays(statements: Statements, { tenantId, userId }: TransactionScope): Replays {
  return {
    async get(replayId) {
      const rows = await statements.query<Row>(
        `SELECT ${columns} FROM memhall.replays WHERE tenant_id = $1 AND user_id = $2 AND replay_id = $3`,
        [tenantId, userId, replayId],
      );
      return rows[0] && fromRow(rows[0]);
    },

    async of(conversationId, limit) {
      const rows = await statements.query<Row>(
        `SELECT ${columns} FROM memhall.replays WHERE tenant_id = $1 AND user_id = $2 AND conversation_id = $3
         ORDER BY created_at DESC, replay_id DESC LIMIT $4`,
        [tenantId, userId, conversationId, limit],
      );
      return rows.map(fromRow);
    },

    put(replay) {
      statements.enqueue(
        `INSERT INTO memhall.replays (tenant_id, user_id, ${columns})
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
         ON CONFLICT (tenant_id, user_id, replay_id) DO UPDATE SET
           status = excluded.status, attempts = excluded.attempts, outcome = excluded.outcome, error = excluded.error,
           updated_at = excluded.updated_at, finished_at = excluded.finished_at`,
        [
          tenantId,
          userId,
          replay.replayId,
          replay.conversationId,
          replay.snapshotId,
          replay.profileId,
          replay.status,
          replay.attempts,
          replay.outcome === null ? null : JSON.stringify(replay.outcome),
          replay.error,
          replay.createdAt,
          replay.updatedAt,
          replay.finishedAt,
        ],
      );
    },

    async open({ queued, running }, limit) {
      const rows = await statements.query<{ user_id: string; replay_id: string }>(
        `SELECT user_id, replay_id FROM memhall.replays
         WHERE tenant_id = $1 AND status IN ('queued', 'running')
           AND updated_at <= CASE status WHEN 'queued' THEN $2::timestamptz ELSE $3::timestamptz END
         ORDER BY updated_at LIMIT $4`,
        [tenantId, queued, running, limit],
      );
      return rows.map(({ user_id, replay_id }) => ({ userId: user_id, replayId: replay_id }));
    },
  };
}

function fromRow(row: Row): Replay {
  return {
    replayId: row.replay_id,
    conversationId: row.conversation_id,
    snapshotId: row.snapshot_id,
    profileId: row.profile_id,
    status: row.status,
    attempts: row.attempts,
    outcome: row.outcome,
    error: row.error,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    finishedAt: row.finished_at,
  };
}
