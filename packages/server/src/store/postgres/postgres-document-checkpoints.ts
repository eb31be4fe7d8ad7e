import type { DocumentCheckpoints, DocumentState } from '../../ports/document-checkpoints.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';

interface Row {
  version: string;
  etag: string;
  body: DocumentState['body'];
  at: Date;
}

const newest = '9223372036854775807';

export function postgresDocumentCheckpoints(
  statements: Statements,
  { tenantId, userId }: TransactionScope,
): DocumentCheckpoints {
  return {
    async latest({ namespace, path }, { version, at }) {
      const rows = await statements.query<Row>(
        `SELECT version, etag, body, at FROM memhall.document_checkpoints
         WHERE tenant_id = $1 AND user_id = $2 AND folder = $3 AND name = $4
           AND version <= $5 AND at <= coalesce($6, 'infinity'::timestamptz)
         ORDER BY version DESC LIMIT 1`,
        [tenantId, userId, namespace, path, version ?? newest, at ?? null],
      );
      return rows[0] && { ...rows[0], version: Number(rows[0].version) };
    },

    async beginning({ namespace, path }) {
      const rows = await statements.query<Row>(
        `SELECT version, etag, body, at FROM memhall.document_checkpoints
         WHERE tenant_id = $1 AND user_id = $2 AND folder = $3 AND name = $4 AND is_beginning`,
        [tenantId, userId, namespace, path],
      );
      return rows[0] && { ...rows[0], version: Number(rows[0].version) };
    },

    add({ namespace, path }, { version, etag, body, at }) {
      statements.enqueue(
        `INSERT INTO memhall.document_checkpoints (tenant_id, user_id, folder, name, version, etag, body, at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
        [tenantId, userId, namespace, path, version, etag, JSON.stringify(body), at],
      );
    },
  };
}
