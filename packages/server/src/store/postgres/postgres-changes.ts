import type { Change, Changes } from '../../ports/changes.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';
import { listForWebhooks } from './list-for-webhooks.js';
import { lockPartitions } from './lock-partitions.js';

interface Row {
  partition: string;
  position: string;
  note_owner: string | null;
  operation: string;
  kind: string;
  id: string;
  at: Date;
}

const insert = `WITH new AS (
    SELECT * FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[])
      WITH ORDINALITY AS given (partition, note_owner, operation, kind, id, at, number)),
  listed AS (
    INSERT INTO memhall.changes (tenant_id, user_id, partition, note_owner, operation, kind, id, at)
    SELECT $1, $2, partition, note_owner, operation, kind, id, at FROM new ORDER BY number)
  ${listForWebhooks('$2')}`;

/** Reads each partition by its own index range, so that a long history of one does not slow down the others. */
const selectAfter = `SELECT found.* FROM unnest($2::text[], $3::bigint[]) AS wanted (partition, after)
  CROSS JOIN LATERAL (
    SELECT partition, position, note_owner, operation, kind, id, at FROM memhall.changes
    WHERE tenant_id = $1 AND partition = wanted.partition AND position > wanted.after ORDER BY position LIMIT $4) AS found
  ORDER BY found.position LIMIT $4`;

const selectLast = `SELECT wanted.partition,
    coalesce((SELECT max(position) FROM memhall.changes WHERE tenant_id = $1 AND partition = wanted.partition), 0) AS position
  FROM unnest($2::text[]) AS wanted (partition)`;

export function postgresChanges(statements: Statements, { tenantId, userId }: TransactionScope): Changes {
  return {
    append(changes) {
      if (changes.length === 0) return;
      // The locks that writers of memories take too. The transaction has that of its own user already.
      const shared = changes.map(({ partition }) => partition).filter((key) => key !== `u:${userId}`);
      lockPartitions(statements, tenantId, shared);
      statements.enqueue(insert, [
        ...[tenantId, userId],
        changes.map(({ partition }) => partition),
        changes.map(({ noteOwner }) => noteOwner),
        changes.map(({ operation }) => operation),
        changes.map(({ kind }) => kind),
        changes.map(({ id }) => id),
        changes.map(({ at }) => at),
      ]);
    },

    async after(positions, limit) {
      const after = [...positions.values()].map(String);
      return (await statements.query<Row>(selectAfter, [tenantId, [...positions.keys()], after, limit])).map(fromRow);
    },

    async last(partitions) {
      const rows = await statements.query<Pick<Row, 'partition' | 'position'>>(selectLast, [tenantId, partitions]);
      return new Map(rows.map(({ partition, position }) => [partition, BigInt(position)]));
    },

    removeBefore(time) {
      statements.enqueue('DELETE FROM memhall.changes WHERE tenant_id = $1 AND at < $2', [tenantId, time]);
    },
  };
}

function fromRow({ note_owner: noteOwner, position, ...row }: Row): Change {
  return { ...row, noteOwner, position: BigInt(position) };
}
