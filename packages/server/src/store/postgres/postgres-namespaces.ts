import type { Json } from '@memhall/core';
import type { Namespace, Namespaces } from '../../ports/namespaces.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';
import { deleteMemories } from './change-memories.js';
import { dropIndex } from './large-partition-upkeep.js';

interface Row {
  name: string;
  kind: string;
  expires_at: Date | null;
  metadata: { [key: string]: Json } | null;
  created_at: Date;
}

const select = 'SELECT name, kind, expires_at, metadata, created_at FROM memhall.namespaces WHERE tenant_id = $1';

export function postgresNamespaces(statements: Statements, { tenantId }: TransactionScope): Namespaces {
  return {
    async get(name) {
      const rows = await statements.query<Row>(`${select} AND name = $2`, [tenantId, name]);
      return rows[0] && fromRow(rows[0]);
    },

    async getMany(names) {
      const rows = await statements.query<Row>(`${select} AND name = ANY ($2::text[]) ORDER BY name`, [
        tenantId,
        names,
      ]);
      return rows.map(fromRow);
    },

    async next(after, now) {
      const rows = await statements.query<{ name: string }>(
        `SELECT name FROM memhall.namespaces WHERE tenant_id = $1 AND name > $2
           AND (expires_at IS NULL OR expires_at > $3) ORDER BY name LIMIT 1`,
        [tenantId, after, now],
      );
      return rows[0]?.name;
    },

    put({ name, kind, expiresAt, metadata, createdAt }) {
      statements.enqueue(
        `INSERT INTO memhall.namespaces (tenant_id, name, kind, expires_at, metadata, created_at) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (tenant_id, name) DO UPDATE SET
           kind = excluded.kind, expires_at = excluded.expires_at, metadata = excluded.metadata`,
        [tenantId, name, kind, expiresAt, metadata === null ? null : JSON.stringify(metadata), createdAt],
      );
    },

    delete(name) {
      const values: [string, string] = [tenantId, `n:${name}`];
      dropIndex(statements, values);
      statements.enqueue(deleteMemories('tenant_id = $1 AND partition = $2'), values);
      statements.enqueue('DELETE FROM memhall.namespaces WHERE tenant_id = $1 AND name = $2', [tenantId, name]);
    },

    async expired(limit, now) {
      const rows = await statements.query<{ name: string }>(
        'SELECT name FROM memhall.namespaces WHERE tenant_id = $1 AND expires_at <= $2 ORDER BY expires_at LIMIT $3',
        [tenantId, now, limit],
      );
      return rows.map(({ name }) => name);
    },
  };
}

function fromRow({ name, kind, expires_at, metadata, created_at }: Row): Namespace {
  return { name, kind, expiresAt: expires_at, metadata, createdAt: created_at };
}
