import {
  type Artifact,
  type ArtifactKey,
  type ArtifactKind,
  type ArtifactSummary,
  type Artifacts,
  assembleArtifact,
  type NewestConditions,
} from '../../ports/artifacts.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';

interface SummaryRow<Kind extends ArtifactKind> {
  kind: Kind;
  folder: string;
  name: string;
  version: string;
  etag: string;
  size_chars: number;
  occurred_at: Date;
  created_at: Date;
  updated_at: Date;
}

interface Row<Kind extends ArtifactKind> extends SummaryRow<Kind> {
  body: unknown;
  outer_tag: string | null;
  followed_etag: string | null;
}

const summaryColumns = 'kind, folder, name, version, etag, size_chars, occurred_at, created_at, updated_at';
const columns = `${summaryColumns}, body, outer_tag, followed_etag`;
/** The condition of the index `artifacts_unfollowed`. */
const unfollowed = `kind = 'document' AND folder <> 'provider' AND followed_etag IS DISTINCT FROM etag`;
const ofKind = 'tenant_id = $1 AND user_id = $2 AND kind = $3';

export function postgresArtifacts(statements: Statements, { tenantId, userId }: TransactionScope): Artifacts {
  return {
    async get<Kind extends ArtifactKind>({ kind, folder, name }: ArtifactKey<Kind>) {
      const rows = await statements.query<Row<Kind>>(
        `SELECT ${columns} FROM memhall.artifacts WHERE ${ofKind} AND folder = $4 AND name = $5`,
        [tenantId, userId, kind, folder, name],
      );
      return rows[0] && fromRow(rows[0]);
    },

    async getMany<Kind extends ArtifactKind>(kind: Kind, folder: string, names: readonly string[]) {
      const rows = await statements.query<Row<Kind>>(
        `SELECT ${columns} FROM memhall.artifacts WHERE ${ofKind} AND folder = $4 AND name = ANY ($5::text[])`,
        [tenantId, userId, kind, folder, names],
      );
      return rows.map(fromRow);
    },

    async list(kind, { folder, after = ['', ''], limit }) {
      const rows = await statements.query<SummaryRow<ArtifactKind>>(
        `SELECT ${summaryColumns} FROM memhall.artifacts
         WHERE ${ofKind} AND (folder, name) > ($4, $5)${folder === undefined ? '' : ' AND folder = $7'}
         ORDER BY folder, name LIMIT $6`,
        [tenantId, userId, kind, ...after, limit, ...(folder === undefined ? [] : [folder])],
      );
      return rows.map(fromSummaryRow);
    },

    async textSizes(folder, { prefix, limit }) {
      const lines = `CASE json_typeof(body #> '{content,lines}') WHEN 'array' THEN body #> '{content,lines}' ELSE '[]' END`;
      const rows = await statements.query<{ name: string; size_bytes: string }>(
        `SELECT name, (SELECT coalesce(sum(octet_length(line) + 1) - 1, 0) FROM json_array_elements_text(${lines}) AS each (line))
           AS size_bytes
         FROM memhall.artifacts
         WHERE tenant_id = $1 AND user_id = $2 AND kind = 'document' AND folder = $3 AND name >= $4 AND starts_with(name, $4)
         ORDER BY name LIMIT $5`,
        [tenantId, userId, folder, prefix, limit],
      );
      return rows.map(({ name, size_bytes }) => ({ name, sizeBytes: Number(size_bytes) }));
    },

    async newest<Kind extends ArtifactKind>(
      kind: Kind,
      { from, to, members = {}, listed, evidence }: NewestConditions,
      limit: number,
    ) {
      const values: unknown[] = [tenantId, userId, kind];
      const next = (value: unknown) => `$${values.push(value)}`;
      const conditions = [
        ...(from === undefined ? [] : [`occurred_at >= ${next(from)}`]),
        ...(to === undefined ? [] : [`occurred_at < ${next(to)}`]),
        ...Object.entries(members).map(([name, text]) => `body ->> ${next(name)} = ${next(text)}`),
        ...(listed === undefined ? [] : [`(body -> ${next(listed.member)})::jsonb ? ${next(listed.text)}`]),
        ...(evidence === undefined ? [] : [`body -> 'evidence' ->> ${next(evidence.member)} = ${next(evidence.text)}`]),
      ];
      const rows = await statements.query<Row<Kind>>(
        `SELECT ${columns} FROM memhall.artifacts WHERE ${[ofKind, ...conditions].join(' AND ')}
         ORDER BY occurred_at DESC, name DESC LIMIT ${next(limit)}`,
        values,
      );
      return rows.map(fromRow);
    },

    put(artifact, { isFollowed = false } = {}) {
      statements.enqueue(
        `INSERT INTO memhall.artifacts (tenant_id, user_id, ${summaryColumns}, body, followed_etag)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
         ON CONFLICT (tenant_id, user_id, kind, folder, name) DO UPDATE SET
           version = excluded.version, etag = excluded.etag, size_chars = excluded.size_chars,
           occurred_at = excluded.occurred_at, created_at = excluded.created_at, updated_at = excluded.updated_at,
           body = excluded.body, followed_etag = excluded.followed_etag`,
        [
          tenantId,
          userId,
          artifact.kind,
          artifact.folder,
          artifact.name,
          artifact.version,
          artifact.etag,
          artifact.sizeChars,
          artifact.occurredAt,
          artifact.createdAt,
          artifact.updatedAt,
          JSON.stringify(artifact.body),
          isFollowed ? artifact.etag : null,
        ],
      );
    },

    delete({ kind, folder, name }) {
      statements.enqueue(`DELETE FROM memhall.artifacts WHERE ${ofKind} AND folder = $4 AND name = $5`, [
        tenantId,
        userId,
        kind,
        folder,
        name,
      ]);
    },

    async outerTag({ kind, folder, name }) {
      const rows = await statements.query<{ outer_tag: string | null }>(
        `SELECT outer_tag FROM memhall.artifacts WHERE ${ofKind} AND folder = $4 AND name = $5`,
        [tenantId, userId, kind, folder, name],
      );
      return rows[0]?.outer_tag ?? null;
    },

    setOuterTag({ kind, folder, name }, tag) {
      statements.enqueue(`UPDATE memhall.artifacts SET outer_tag = $6 WHERE ${ofKind} AND folder = $4 AND name = $5`, [
        tenantId,
        userId,
        kind,
        folder,
        name,
        tag,
      ]);
    },

    async owners(kind) {
      const rows = await statements.query<{ user_id: string }>(
        'SELECT DISTINCT user_id FROM memhall.artifacts WHERE tenant_id = $1 AND kind = $2 ORDER BY user_id',
        [tenantId, kind],
      );
      return rows.map(({ user_id }) => user_id);
    },

    setFollowed({ folder, name }, etag) {
      statements.enqueue(
        `UPDATE memhall.artifacts SET followed_etag = etag
         WHERE tenant_id = $1 AND user_id = $2 AND kind = 'document' AND folder = $3 AND name = $4 AND etag = $5`,
        [tenantId, userId, folder, name, etag],
      );
    },

    async unfollowed({ after, limit }) {
      const rows = await statements.query<{ user_id: string; folder: string; name: string; etag: string }>(
        `SELECT user_id, folder, name, etag FROM memhall.artifacts
         WHERE tenant_id = $1 AND ${unfollowed} AND (user_id, folder, name) > ($2, $3, $4)
         ORDER BY user_id, folder, name LIMIT $5`,
        [tenantId, after?.userId ?? '', after?.folder ?? '', after?.name ?? '', limit],
      );
      return rows.map(({ user_id, ...place }) => ({ userId: user_id, ...place }));
    },

    async countUnfollowed() {
      const rows = await statements.query<{ count: string }>(
        `SELECT count(*) AS count FROM memhall.artifacts WHERE tenant_id = $1 AND ${unfollowed}`,
        [tenantId],
      );
      return Number(rows[0]?.count ?? 0);
    },

    unfollow(folders) {
      statements.enqueue(
        `UPDATE memhall.artifacts SET followed_etag = NULL
         WHERE tenant_id = $1 AND kind = 'document' AND folder = ANY (coalesce($2::text[], ARRAY[folder]))`,
        [tenantId, folders ?? null],
      );
    },
  };
}

function fromRow<Kind extends ArtifactKind>(row: Row<Kind>): Artifact<Kind> {
  const artifact = assembleArtifact(fromSummaryRow(row), row.body, row.outer_tag);
  return row.kind === 'document' ? { ...artifact, isFollowed: row.followed_etag === row.etag } : artifact;
}

function fromSummaryRow<Kind extends ArtifactKind>(row: SummaryRow<Kind>): ArtifactSummary<Kind> {
  return {
    kind: row.kind,
    folder: row.folder,
    name: row.name,
    version: Number(row.version),
    etag: row.etag,
    sizeChars: row.size_chars,
    occurredAt: row.occurred_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
