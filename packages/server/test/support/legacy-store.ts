import { Client } from 'pg';
import { afterAll, beforeAll, inject } from 'vitest';

/** The empty tables of the older store. */
const tables = `
  CREATE TABLE workspaces (id text PRIMARY KEY, name text, parent_id text);
  CREATE TABLE agent_memories (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(), workspace_id text, content text, scope text, namespace text DEFAULT 'general',
    created_at timestamptz NOT NULL DEFAULT now())`;

export interface LegacyStore {
  url: string;
  /** Connected as the owner. */
  client: Client;
}

/** Creates a database of the older store for a suite from the given SQL. */
export function useLegacyStore(rows = '', schema = tables): () => LegacyStore {
  const name = `legacy_${Math.random().toString(36).slice(2)}`;
  const administrate = async (sql: string) => {
    const client = new Client({ connectionString: inject('postgresUrl') ?? '' });
    await client.connect();
    await client.query(sql);
    await client.end();
  };
  let store: LegacyStore | undefined;
  beforeAll(async () => {
    await administrate(`CREATE DATABASE ${name}`);
    const url = (inject('postgresUrl') ?? '').replace(/\/postgres$/, `/${name}`);
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query(`${schema}; ${rows}`);
    store = { url, client };
  });
  afterAll(async () => {
    await store?.client.end();
    await administrate(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });
  return () => {
    if (store === undefined) throw new Error('the older store is there only while tests run');
    return store;
  };
}
