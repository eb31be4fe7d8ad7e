import type { Json } from '@memhall/core';
import type { ProfileUse, RegisteredProfile, RegisteredSchema, Registry } from '../../ports/registry.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';

interface SchemaRow {
  schema_id: string;
  version: string;
  schema: Json;
  migration: Json | null;
  hash: string;
  created_at: Date;
}

interface UseRow {
  profile_id: string | null;
  namespace: string | null;
  path: string | null;
}

interface ProfileRow {
  profile_id: string;
  profile: Json;
  etag: string;
  created_at: Date;
  updated_at: Date;
}

const schemaColumns = 'schema_id, version, schema, migration, hash, created_at';
const profileColumns = 'profile_id, profile, etag, created_at, updated_at';

export function postgresRegistry(statements: Statements, { tenantId }: TransactionScope): Registry {
  return {
    async schema(schemaId, version) {
      const rows = await statements.query<SchemaRow>(
        `SELECT ${schemaColumns} FROM memhall.schemas WHERE tenant_id = $1 AND schema_id = $2 AND version = $3`,
        [tenantId, schemaId, version],
      );
      return rows[0] && fromSchemaRow(rows[0]);
    },

    async schemas({ after = ['', ''], limit }) {
      const rows = await statements.query<SchemaRow>(
        `SELECT ${schemaColumns} FROM memhall.schemas WHERE tenant_id = $1 AND (schema_id, version) > ($2, $3)
         ORDER BY schema_id, version LIMIT $4`,
        [tenantId, ...after, limit],
      );
      return rows.map(fromSchemaRow);
    },

    addSchema({ schemaId, version, schema, migration, hash, createdAt }) {
      statements.enqueue(
        `INSERT INTO memhall.schemas (tenant_id, ${schemaColumns}) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        [
          tenantId,
          schemaId,
          version,
          JSON.stringify(schema),
          migration === null ? null : JSON.stringify(migration),
          hash,
          createdAt,
        ],
      );
    },

    async profile(profileId) {
      const rows = await statements.query<ProfileRow>(
        `SELECT ${profileColumns} FROM memhall.profiles WHERE tenant_id = $1 AND profile_id = $2`,
        [tenantId, profileId],
      );
      return rows[0] && fromProfileRow(rows[0]);
    },

    async profiles() {
      const rows = await statements.query<ProfileRow>(
        `SELECT ${profileColumns} FROM memhall.profiles WHERE tenant_id = $1 ORDER BY profile_id`,
        [tenantId],
      );
      return rows.map(fromProfileRow);
    },

    async uses(userId) {
      // Row-level security keeps concatenations out of index conditions, so the targets are computed first.
      const ofUser = userId === undefined ? '' : ' AND user_id = $2';
      const rows = await statements.query<UseRow>(
        `WITH document AS MATERIALIZED (
           SELECT user_id, folder, name, 'documents/' || folder || '/' || name AS target FROM memhall.artifacts
           WHERE tenant_id = $1 AND kind = 'document'${ofUser})
         SELECT DISTINCT last.profile_id,
           CASE WHEN last.profile_id IS NULL THEN folder END AS namespace,
           CASE WHEN last.profile_id IS NULL THEN name END AS path
         FROM document LEFT JOIN LATERAL (
           SELECT record::json ->> 'profile_id' AS profile_id FROM memhall.audit_records AS written
           WHERE written.tenant_id = $1 AND written.user_id = document.user_id AND written.version IS NOT NULL
             AND written.target = document.target AND record::json ->> 'reason' <> 'compaction'
           ORDER BY written.version DESC LIMIT 1) AS last ON true
         UNION SELECT profile_id, NULL, NULL FROM memhall.replays WHERE tenant_id = $1${ofUser}`,
        [tenantId, ...(userId === undefined ? [] : [userId])],
      );
      return rows.map(fromUseRow);
    },

    putProfile({ profileId, profile, etag, createdAt, updatedAt }) {
      statements.enqueue(
        `INSERT INTO memhall.profiles (tenant_id, ${profileColumns}) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (tenant_id, profile_id) DO UPDATE SET
           profile = excluded.profile, etag = excluded.etag, updated_at = excluded.updated_at`,
        [tenantId, profileId, JSON.stringify(profile), etag, createdAt, updatedAt],
      );
    },
  };
}

function fromUseRow({ profile_id, namespace, path }: UseRow): ProfileUse {
  if (profile_id !== null) return { profileId: profile_id };
  return { profileId: null, document: { namespace: namespace ?? '', path: path ?? '' } };
}

function fromSchemaRow(row: SchemaRow): RegisteredSchema {
  const { schema_id, version, schema, migration, hash, created_at } = row;
  return { schemaId: schema_id, version, schema, migration, hash, createdAt: created_at };
}

function fromProfileRow({ profile_id, profile, etag, created_at, updated_at }: ProfileRow): RegisteredProfile {
  return { profileId: profile_id, profile, etag, createdAt: created_at, updatedAt: updated_at };
}
