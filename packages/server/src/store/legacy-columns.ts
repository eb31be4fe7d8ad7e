import { StartUpError } from '@memhall/core';
import type { PoolClient } from 'pg';

const needed = {
  agent_memories: ['id', 'workspace_id', 'content', 'scope'],
  workspaces: ['id', 'parent_id'],
} as const;

/** The columns and types of the old tables in this database. */
export interface LegacyColumns {
  /** Whether `agent_memories` has this optional column. */
  has(column: 'namespace' | 'created_at'): boolean;
  /** SQL type of `agent_memories.id`. */
  idType: string;
  /** SQL type of `agent_memories.workspace_id`. */
  workspaceIdType: string;
  /**
   * Common SQL type of all columns that contain a workspace id; undefined if they differ or text cannot be cast to it.
   */
  workspaceIdsAlike: string | undefined;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether the text can be compared as a value of the type, which allows the use of indexes. */
export function isValueOf(type: string, text: string): boolean {
  return type === 'uuid' ? uuid.test(text) : isText(type);
}

function isText(type: string): boolean {
  return type === 'text' || type === 'character varying';
}

/** Throws StartUpError, naming the table or column, if one is missing. */
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

/** Returns the columns with their types as spelled in SQL, so that they can be used in statements. */
async function readTable(client: PoolClient, table: keyof typeof needed): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; type: string }>(
    `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
     WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped`,
    [table],
  );
  if (rows.length === 0) {
    throw new StartUpError(
      `The old database has no table ${table}: check MEMORY_LEGACY_DATABASE_URL (or DATABASE_URL if that is not set) and its search_path.`,
    );
  }
  const columns = new Map(rows.map(({ name, type }) => [name, type]));
  const missing = needed[table].filter((name) => !columns.has(name));
  if (missing.length > 0) {
    throw new StartUpError(`The table ${table} of the old database has no column ${missing.join(', ')}.`);
  }
  return columns;
}
