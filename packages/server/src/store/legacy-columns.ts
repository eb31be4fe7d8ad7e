import { StartUpError } from '@memhall/core';
import type { PoolClient } from 'pg';

const needed = {
  agent_memories: ['id', 'workspace_id', 'content', 'scope'],
  workspaces: ['id', 'parent_id'],
} as const;

/** What the old tables look like here. */
export interface LegacyColumns {
  /** Whether `agent_memories` has a column that need not be there. */
  has(column: 'namespace' | 'created_at'): boolean;
  /** SQL type of `agent_memories.id`. */
  idType: string;
  /** SQL type of `agent_memories.workspace_id`. */
  workspaceIdType: string;
  /** SQL type of all columns that name a workspace; undefined: they differ, or text may not be turned into it. */
  workspaceIdsAlike: string | undefined;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether the text can be compared as a value of the type, which lets indexes be of use. */
export function isValueOf(type: string, text: string): boolean {
  return type === 'uuid' ? uuid.test(text) : isText(type);
}

function isText(type: string): boolean {
  return type === 'text' || type === 'character varying';
}

/** Throws StartUpError, naming it, when a table or column is missing. */
export async function readLegacyColumns(client: PoolClient): Promise<LegacyColumns> {
  const memories = await readTable(client, 'agent_memories');
  const workspaces = await readTable(client, 'workspaces');
  const types = new Set([memories.get('workspace_id'), workspaces.get('id'), workspaces.get('parent_id')]);
  const [type] = types;
  return {
    has: (column) => memories.has(column),
    idType: memories.get('id') ?? 'text',
    workspaceIdType: memories.get('workspace_id') ?? 'text',
    workspaceIdsAlike: types.size === 1 && type !== undefined && (type === 'uuid' || isText(type)) ? type : undefined,
  };
}

/** Columns with their types, which are written as SQL writes them and so can be used in it. */
async function readTable(client: PoolClient, table: keyof typeof needed): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; type: string }>(
    `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
     WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped`,
    [table],
  );
  if (rows.length === 0) {
    throw new StartUpError(
      `The old database has no table ${table}: check MEMORY_LEGACY_DATABASE_URL, else DATABASE_URL, and its search_path.`,
    );
  }
  const columns = new Map(rows.map(({ name, type }) => [name, type]));
  const missing = needed[table].filter((name) => !columns.has(name));
  if (missing.length > 0) {
    throw new StartUpError(`The table ${table} of the old database has no column ${missing.join(', ')}.`);
  }
  return columns;
}
