import type { Resource, Resources } from '../../ports/resources.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';

interface Row {
  resource_id: string;
  app_id: string;
  project_id: string;
  file_name: string | null;
  title: string | null;
  description: string | null;
  media_type: string;
  size_bytes: string;
  content_hash: string;
  status: Resource['status'];
  reason: string | null;
  chunks: number;
  created_at: Date;
}

const columns =
  'resource_id, app_id, project_id, file_name, title, description, media_type, size_bytes, content_hash, status, reason, chunks, created_at';
const ofUser = 'tenant_id = $1 AND user_id = $2';

export function postgresResources(statements: Statements, { tenantId, userId }: TransactionScope): Resources {
  const select = async (rest: string, values: unknown[]) => {
    const text = `SELECT ${columns} FROM memhall.resources WHERE ${ofUser}${rest}`;
    return (await statements.query<Row>(text, [tenantId, userId, ...values])).map(fromRow);
  };
  const deletePieces = (resourceId: string) =>
    statements.enqueue(`DELETE FROM memhall.resource_pieces WHERE ${ofUser} AND resource_id = $3`, [
      tenantId,
      userId,
      resourceId,
    ]);
  return {
    get: async (resourceId) => (await select(' AND resource_id = $3', [resourceId]))[0],

    findByContent: async (contentHash) => (await select(' AND content_hash = $3', [contentHash]))[0],

    list: ({ appId, projectId }, { before, limit }) =>
      select(
        ` AND ($3::text IS NULL OR app_id = $3) AND ($4::text IS NULL OR project_id = $4)
          AND ($5::timestamptz IS NULL OR (created_at, resource_id) < ($5, $6))
          ORDER BY created_at DESC, resource_id DESC LIMIT $7`,
        [appId ?? null, projectId ?? null, before?.at ?? null, before?.id ?? null, limit],
      ),

    insert(resource) {
      statements.enqueue(
        `INSERT INTO memhall.resources (tenant_id, user_id, ${columns})
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
        [
          tenantId,
          userId,
          resource.resourceId,
          resource.appId,
          resource.projectId,
          resource.fileName,
          resource.title,
          resource.description,
          resource.mediaType,
          resource.sizeBytes,
          resource.contentHash,
          resource.status,
          resource.reason,
          resource.chunks,
          resource.createdAt,
        ],
      );
    },

    updateReading({ resourceId, status, reason, chunks }) {
      statements.enqueue(
        `UPDATE memhall.resources SET status = $4, reason = $5, chunks = $6 WHERE ${ofUser} AND resource_id = $3`,
        [tenantId, userId, resourceId, status, reason, chunks],
      );
    },

    async addPiece(resourceId, number, bytes) {
      await statements.send(
        'INSERT INTO memhall.resource_pieces (tenant_id, user_id, resource_id, number, bytes) VALUES ($1, $2, $3, $4, $5)',
        [tenantId, userId, resourceId, number, bytes],
      );
    },

    async piece(resourceId, number) {
      const rows = await statements.query<{ bytes: Buffer }>(
        `SELECT bytes FROM memhall.resource_pieces WHERE ${ofUser} AND resource_id = $3 AND number = $4`,
        [tenantId, userId, resourceId, number],
      );
      return rows[0]?.bytes;
    },

    deletePieces,

    delete(resourceId) {
      deletePieces(resourceId);
      statements.enqueue(`DELETE FROM memhall.resources WHERE ${ofUser} AND resource_id = $3`, [
        tenantId,
        userId,
        resourceId,
      ]);
    },
  };
}

function fromRow(row: Row): Resource {
  return {
    resourceId: row.resource_id,
    appId: row.app_id,
    projectId: row.project_id,
    fileName: row.file_name,
    title: row.title,
    description: row.description,
    mediaType: row.media_type,
    sizeBytes: Number(row.size_bytes),
    contentHash: row.content_hash,
    status: row.status,
    reason: row.reason,
    chunks: row.chunks,
    createdAt: row.created_at,
  };
}
