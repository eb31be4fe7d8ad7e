import { StartUpError } from '@memhall/core';
import type { Pool } from 'pg';

/** A row of a knowledge table from before it had users. */
export interface LegacySemanticRow {
  id: string;
  tenantId: string;
  content: string;
  metadata: unknown;
  tags: string[] | null;
  source: string | null;
  externalId: string | null;
  planId: string | null;
  sessionId: string | null;
  createdAt: Date | null;
  updatedAt: Date | null;
}

const pageSize = 500;
const needed = ['id', 'tenant_id', 'content'] as const;
/** Optional columns of these tables, and how each is read. */
const optional = {
  metadata: 'metadata::jsonb',
  tags: 'tags::text[]',
  source: 'source::text',
  external_id: 'external_id::text',
  plan_id: 'plan_id::text',
  session_id: 'session_id::text',
  created_at: 'created_at',
  updated_at: 'updated_at',
} as const;

/** Reads such a table page by page, ordered by id. It locks and changes nothing. */
export class LegacySemanticTable {
  readonly #pool: Pool;
  readonly #name: string;

  constructor(pool: Pool, table: string) {
    if (!/^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)?$/i.test(table)) {
      throw new StartUpError(`"${table}" is not the name of a table: use table or schema.table.`);
    }
    this.#pool = pool;
    this.#name = table;
  }

  async count(): Promise<number> {
    await this.#columns();
    const { rows } = await this.#pool.query<{ count: string }>(`SELECT count(*) FROM ${this.#name}`);
    return Number(rows[0]?.count ?? 0);
  }

  async *rows(): AsyncGenerator<LegacySemanticRow[]> {
    const present = await this.#columns();
    const selected = Object.entries(optional).map(([name, read]) => `${present.has(name) ? read : 'NULL'} AS ${name}`);
    let after: string | null = null;
    for (;;) {
      const { rows }: { rows: Record<string, never>[] } = await this.#pool.query(
        `SELECT id::text AS id, tenant_id::text AS tenant_id, content, ${selected.join(', ')} FROM ${this.#name}
         WHERE $1::text IS NULL OR id::text > $1 ORDER BY id::text LIMIT ${pageSize}`,
        [after],
      );
      if (rows.length === 0) return;
      yield rows.map(fromRow);
      after = rows.at(-1)?.id ?? null;
    }
  }

  async #columns(): Promise<Set<string>> {
    const { rows } = await this.#pool.query<{ name: string }>(
      'SELECT attname AS name FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped',
      [this.#name],
    );
    const present = new Set(rows.map(({ name }) => name));
    if (present.size === 0)
      throw new StartUpError(`There is no table ${this.#name} in the database: name it with --table.`);
    const missing = needed.filter((name) => !present.has(name));
    if (missing.length > 0) throw new StartUpError(`The table ${this.#name} has no column ${missing.join(', ')}.`);
    return present;
  }
}

function fromRow(row: Record<string, never>): LegacySemanticRow {
  return {
    id: row.id ?? '',
    tenantId: row.tenant_id ?? '',
    content: row.content ?? '',
    metadata: row.metadata ?? null,
    tags: row.tags ?? null,
    source: row.source ?? null,
    externalId: row.external_id ?? null,
    planId: row.plan_id ?? null,
    sessionId: row.session_id ?? null,
    createdAt: row.created_at ?? null,
    updatedAt: row.updated_at ?? null,
  };
}
