import type { Quarantine, QuarantinedText } from '../../ports/quarantine.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';

interface Row {
  user_id: string;
  quarantine_id: string;
  folder: string;
  name: string;
  content_hash: string;
  content: string;
  category: string;
  rule: string;
  status: QuarantinedText['status'];
  origin_updated_by: string;
  origin_version: string;
  origin_etag: string;
  created_at: Date;
  updated_at: Date;
}

const columns =
  'user_id, quarantine_id, folder, name, content_hash, content, category, rule, status, origin_updated_by, origin_version, origin_etag, created_at, updated_at';
const ofUser = 'tenant_id = $1 AND user_id = $2';

export function postgresQuarantine(statements: Statements, { tenantId, userId }: TransactionScope): Quarantine {
  const select = async (rest: string, values: unknown[]) => {
    const text = `SELECT ${columns} FROM memhall.quarantine WHERE tenant_id = $1 AND ${rest}`;
    return (await statements.query<Row>(text, [tenantId, ...values])).map(fromRow);
  };
  return {
    get: async (id) => (await select('user_id = $2 AND quarantine_id = $3', [userId, id]))[0],

    all: () => select('user_id = $2 ORDER BY created_at, quarantine_id', [userId]),

    at: ({ namespace, path }) =>
      select('user_id = $2 AND folder = $3 AND name = $4 ORDER BY created_at, quarantine_id', [
        userId,
        namespace,
        path,
      ]),

    async heldPaths(namespace) {
      const rows = await statements.query<{ name: string }>(
        `SELECT DISTINCT name FROM memhall.quarantine WHERE ${ofUser} AND folder = $3 AND status = 'held' ORDER BY name`,
        [tenantId, userId, namespace],
      );
      return rows.map(({ name }) => name);
    },

    put(text) {
      statements.enqueue(
        `INSERT INTO memhall.quarantine (tenant_id, ${columns})
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
         ON CONFLICT (tenant_id, user_id, folder, name, content_hash) DO UPDATE SET
           category = excluded.category, rule = excluded.rule, status = excluded.status,
           origin_updated_by = excluded.origin_updated_by, origin_version = excluded.origin_version,
           origin_etag = excluded.origin_etag, updated_at = excluded.updated_at`,
        [
          tenantId,
          userId,
          text.id,
          text.namespace,
          text.path,
          text.contentHash,
          text.text,
          text.category,
          text.rule,
          text.status,
          text.origin.updatedBy,
          text.origin.version,
          text.origin.etag,
          text.createdAt,
          text.updatedAt,
        ],
      );
    },

    delete(id) {
      const values = [tenantId, userId, id];
      statements.enqueue(`DELETE FROM memhall.quarantine WHERE ${ofUser} AND quarantine_id = $3`, values);
    },

    list: ({ userId: wanted, after, limit }) =>
      select(
        `($2::text IS NULL OR user_id = $2) AND (created_at, quarantine_id) > ($3, $4)
         ORDER BY created_at, quarantine_id LIMIT $5`,
        [wanted ?? null, after?.createdAt ?? '-infinity', after?.id ?? '', limit],
      ),

    find: async (id) => (await select('quarantine_id = $2', [id]))[0],
  };
}

function fromRow(row: Row): QuarantinedText {
  return {
    id: row.quarantine_id,
    userId: row.user_id,
    namespace: row.folder,
    path: row.name,
    contentHash: row.content_hash,
    text: row.content,
    category: row.category,
    rule: row.rule,
    status: row.status,
    origin: { updatedBy: row.origin_updated_by, version: Number(row.origin_version), etag: row.origin_etag },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
