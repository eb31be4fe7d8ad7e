import { Problem, StartUpError } from '@memhall/core';
import type { Pool, PoolClient } from 'pg';
import {
  type LegacyFilter,
  type LegacyMemories,
  type LegacyMemory,
  maxChainLength,
  type WorkspaceChain,
} from '../ports/legacy-memories.js';
import { isValueOf, type LegacyColumns, readLegacyColumns } from './legacy-columns.js';
import { errorCode, toProblem } from './to-problem.js';

interface Row {
  id: string;
  workspace_id: string;
  content: string | null;
  /** null if there is no content. */
  size_bytes: number | null;
  scope: string | null;
  label: string | null;
  created_at: Date | null;
}

interface ChainRow {
  start: string;
  id: string;
  parent_id: string | null;
}

/** Larger rows do not fit into one plugin call, and a page of them would not fit into memory. */
const maxContentBytes = 1024 * 1024;

/** The old store in PostgreSQL. */
export class LegacyMemoriesTable implements LegacyMemories {
  readonly #pool: Pool;
  readonly #writable: boolean;
  #columns: LegacyColumns | undefined;

  constructor(pool: Pool, { writable }: { writable: boolean }) {
    this.#pool = pool;
    this.#writable = writable;
  }

  async check(): Promise<void> {
    await this.#read(async () => undefined);
  }

  count({ workspaceId }: LegacyFilter): Promise<number> {
    return this.#read(async (client, columns) => {
      const { rows } = await client.query<{ count: string }>(
        `SELECT count(*) FROM agent_memories WHERE ${ofWorkspace(columns, workspaceId)}`,
        workspaceId === undefined ? [] : [workspaceId],
      );
      return Number(rows[0]?.count ?? 0);
    });
  }

  page(
    { workspaceId }: LegacyFilter,
    { after, limit }: { after: string | undefined; limit: number },
  ): Promise<LegacyMemory[]> {
    return this.#read(async (client, columns) => {
      const { rows } = await client.query<Row>(
        `${selectFrom(columns)}
         WHERE ($1::text IS NULL OR id > $1::text::${columns.idType}) AND ${ofWorkspace(columns, workspaceId, '$3')}
         ORDER BY id LIMIT $2`,
        [after ?? null, limit, ...(workspaceId === undefined ? [] : [workspaceId])],
      );
      return rows.map(fromRow);
    });
  }

  get(id: string): Promise<LegacyMemory | undefined> {
    return this.#read(async (client, columns) => {
      if (columns.idType === 'uuid' && !isValueOf('uuid', id)) return undefined;
      const { rows } = await client.query<Row>(`${selectFrom(columns)} WHERE id = $1::text::${columns.idType}`, [id]);
      return rows[0] && fromRow(rows[0]);
    });
  }

  sampleWorkspaces(count: number): Promise<string[]> {
    return this.#read(async (client) => {
      const { rows } = await client.query<{ id: string }>(
        `SELECT id FROM (SELECT DISTINCT workspace_id::text AS id FROM agent_memories WHERE workspace_id IS NOT NULL)
           AS workspaces ORDER BY random() LIMIT $1`,
        [count],
      );
      return rows.map(({ id }) => id);
    });
  }

  workspaces({ after, limit }: { after: string | undefined; limit: number }): Promise<string[]> {
    return this.#read(async (client) => {
      const { rows } = await client.query<{ id: string }>(
        `SELECT id::text AS id FROM workspaces WHERE $1::text IS NULL OR id::text COLLATE "C" > $1
         ORDER BY id::text COLLATE "C" LIMIT $2`,
        [after ?? null, limit],
      );
      return rows.map(({ id }) => id);
    });
  }

  chains(workspaceIds: readonly string[]): Promise<Map<string, WorkspaceChain>> {
    return this.#read(async (client, { workspaceIdsAlike }) => {
      // Indexes can be used only if the types are equal; otherwise the ids are compared as text.
      const given = workspaceIdsAlike ?? 'text';
      const id = workspaceIdsAlike === undefined ? 'w.id::text' : 'w.id';
      const parent = workspaceIdsAlike === undefined ? 'c.parent_id::text' : 'c.parent_id';
      const { rows } = await client.query<ChainRow>(
        `WITH RECURSIVE chain (start, id, parent_id, depth) AS (
           SELECT w.id, w.id, w.parent_id, 0 FROM workspaces AS w WHERE ${id} = ANY ($1::text[]::${given}[])
           UNION ALL
           SELECT c.start, w.id, w.parent_id, c.depth + 1 FROM chain AS c JOIN workspaces AS w ON ${id} = ${parent}
           WHERE c.depth < ${maxChainLength})
         SELECT start::text AS start, id::text AS id, parent_id::text AS parent_id FROM chain ORDER BY start, depth`,
        [workspaceIds.filter((workspaceId) => isValueOf(given, workspaceId))],
      );
      return toChains(workspaceIds, rows);
    });
  }

  async insert(memory: Omit<LegacyMemory, 'sizeBytes' | 'content'> & { content: string }): Promise<boolean> {
    if (!this.#writable) throw new Error('the old store was opened read-only');
    const columns = await this.#read(async (_client, known) => known);
    const values: Record<string, unknown> = {
      id: memory.id,
      workspace_id: memory.workspaceId,
      content: memory.content,
      scope: memory.scope,
      ...(columns.has('namespace') && memory.label !== null ? { namespace: memory.label } : {}),
      ...(columns.has('created_at') && memory.createdAt !== null ? { created_at: memory.createdAt } : {}),
    };
    const names = Object.keys(values);
    try {
      const { rowCount } = await this.#pool.query(
        `INSERT INTO agent_memories (${names.join(', ')}) VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')})
         ON CONFLICT (id) DO NOTHING`,
        Object.values(values),
      );
      return rowCount === 1;
    } catch (error) {
      // Malformed value, unknown workspace, missing value: the row is at fault.
      if (!/^(22|23)/.test(errorCode(error))) throw toProblem(error);
      throw new Problem('INVALID_REQUEST', 'The old store rejected this row.', { cause: error });
    }
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  async #read<T>(work: (client: PoolClient, columns: LegacyColumns) => Promise<T>): Promise<T> {
    let client: PoolClient | undefined;
    let broken = false;
    try {
      client = await this.#pool.connect();
      await client.query('BEGIN READ ONLY');
      this.#columns ??= await readLegacyColumns(client);
      const result = await work(client, this.#columns);
      await client.query('COMMIT');
      return result;
    } catch (error) {
      broken = true;
      throw error instanceof StartUpError ? error : toProblem(error);
    } finally {
      client?.release(broken);
    }
  }
}

function selectFrom(columns: LegacyColumns): string {
  return `SELECT id::text AS id, workspace_id::text AS workspace_id, octet_length(content) AS size_bytes,
    CASE WHEN octet_length(content) <= ${maxContentBytes} THEN content END AS content, scope::text AS scope,
    ${columns.has('namespace') ? 'namespace::text' : 'NULL'} AS label,
    ${columns.has('created_at') ? 'created_at' : 'NULL::timestamptz'} AS created_at
  FROM agent_memories`;
}

function ofWorkspace({ workspaceIdType }: LegacyColumns, workspaceId: string | undefined, parameter = '$1'): string {
  if (workspaceId === undefined) return 'true';
  return isValueOf(workspaceIdType, workspaceId)
    ? `workspace_id = ${parameter}::text::${workspaceIdType}`
    : `workspace_id::text = ${parameter}::text`;
}

function fromRow(row: Row): LegacyMemory {
  return {
    id: row.id,
    workspaceId: row.workspace_id ?? '',
    content: row.size_bytes === null ? '' : row.content,
    sizeBytes: row.size_bytes ?? 0,
    scope: row.scope ?? '',
    label: row.label,
    createdAt: row.created_at,
  };
}

function toChains(wanted: readonly string[], rows: readonly ChainRow[]): Map<string, WorkspaceChain> {
  const found = new Map<string, { ids: string[]; parentOfLast: string | null }>();
  for (const { start, id, parent_id } of rows) {
    const chain = found.get(start) ?? { ids: [], parentOfLast: null };
    chain.ids.push(id);
    chain.parentOfLast = parent_id;
    found.set(start, chain);
  }
  return new Map(wanted.map((id) => [id, found.get(id) ?? { ids: [], parentOfLast: null }]));
}
