import { StartUpError } from '@memhall/core';
import type { ClientBase, Pool } from 'pg';

/** Anything that runs statements one by one. */
type Queryable = Pick<Pool | ClientBase, 'query'>;

interface Distribution {
  /** True if Citus is installed in this database. */
  hasCitus: boolean;
  /** True if the tables of Memhall are distributed. */
  isDistributed: boolean;
  isCoordinator: boolean;
}

/** The group that Citus puts its coordinator in. */
const coordinatorGroup = 0;
/** All other tables are on the same nodes as this one, tenant by tenant. */
const firstTable = 'tenants';
/** They have no tenant, so every node has a copy. */
const referenceTables = ['outer_store'];
/** What policies and statements call where the data is. */
const functionsOfNodes = ['may_see', 'may_see_note', 'may_write', 'peer_key', 'unpack_terms', 'visible_partitions'];

/** Finds out how this database is distributed. */
export async function findDistribution(client: Queryable): Promise<Distribution> {
  const { rows: found } = await client.query<{ present: boolean }>(
    `SELECT to_regclass('pg_dist_partition') IS NOT NULL AS present`,
  );
  if (!found[0]?.present) return { hasCitus: false, isDistributed: false, isCoordinator: true };
  const { rows } = await client.query<{ distributed: boolean; node_group: number }>(
    `SELECT EXISTS (SELECT 1 FROM pg_dist_partition WHERE logicalrelid = to_regclass('memhall.memories')) AS distributed,
       (SELECT groupid FROM pg_dist_local_group) AS node_group`,
  );
  return {
    hasCitus: true,
    isDistributed: rows[0]?.distributed ?? false,
    isCoordinator: rows[0]?.node_group === coordinatorGroup,
  };
}

/** Returns the tables that are not distributed although others are: those of migrations that came later. */
export async function undistributedTables(client: Queryable): Promise<string[]> {
  return (await listTables(client)).filter(({ done }) => !done).map(({ name }) => name);
}

/** Throws StartUpError if this is not the coordinator of a Citus cluster. */
export async function requireCoordinator(client: Queryable): Promise<void> {
  const { hasCitus, isCoordinator } = await findDistribution(client);
  if (!hasCitus) {
    throw new StartUpError(
      'Citus is not installed in this database: install it on all nodes, have a superuser run `CREATE EXTENSION citus`, and try again.',
    );
  }
  if (!isCoordinator) {
    throw new StartUpError('This server is a worker of Citus: use the URL of the coordinator.');
  }
}

/** Returns the statements that distribute the tables by tenant, without those that were already run: each is one transaction. */
export async function planDistribution(client: Queryable): Promise<string[]> {
  const tables = await listTables(client);
  return [
    ...(await listRoles(client)).map((role) => `ALTER ROLE ${role} LOGIN`),
    ...(await listFunctions(client)).map((name) => `SELECT create_distributed_function('${name}')`),
    ...tables.filter(({ done }) => !done).map(({ name }) => distribute(name)),
    ...tables
      .filter(({ done, bytes }) => !done || bytes > 0)
      .map(({ name }) => `SELECT truncate_local_data_after_distributing_table('memhall.${name}')`),
  ];
}

/** Rows are copied as the owner, who is subject to row-level security only if it is forced. */
function distribute(table: string): string {
  const name = `memhall.${table}`;
  const colocation = table === firstTable ? 'none' : `memhall.${firstTable}`;
  const call = referenceTables.includes(table)
    ? `create_reference_table('${name}')`
    : `create_distributed_table('${name}', 'tenant_id', colocate_with => '${colocation}')`;
  return [
    `ALTER TABLE ${name} NO FORCE ROW LEVEL SECURITY`,
    `SELECT ${call}`,
    `ALTER TABLE ${name} FORCE ROW LEVEL SECURITY`,
  ].join('; ');
}

interface Table {
  name: string;
  done: boolean;
  /** Of the rows that are still on the coordinator. */
  bytes: number;
}

/** Lists the first table, then all others after those they refer to. */
async function listTables(client: Queryable): Promise<Table[]> {
  const { rows } = await client.query<Table & { refers_to: string[] }>(
    `SELECT relname AS name, pg_relation_size(c.oid)::float8 AS bytes,
       EXISTS (SELECT 1 FROM pg_dist_partition WHERE logicalrelid = c.oid) AS done,
       ARRAY(SELECT f.relname::text FROM pg_constraint JOIN pg_class AS f ON f.oid = confrelid
         WHERE conrelid = c.oid AND contype = 'f' AND confrelid <> conrelid) AS refers_to
     FROM pg_class AS c WHERE relnamespace = 'memhall'::regnamespace AND relkind IN ('r', 'p') AND relname <> 'migrations'
     ORDER BY relname <> $1, relname`,
    [firstTable],
  );
  const listed: Table[] = [];
  const add = ({ refers_to: refersTo, ...table }: (typeof rows)[number]) => {
    if (listed.some(({ name }) => name === table.name)) return;
    for (const row of rows) if (refersTo.includes(row.name)) add(row);
    listed.push(table);
  };
  for (const row of rows) add(row);
  return listed;
}

/** The roles of transactions that may not log in. Citus connects to its workers as the role in use. */
async function listRoles(client: Queryable): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT rolname AS name FROM pg_roles
     WHERE rolname IN ('memhall_app', 'memhall_worker', 'memhall_eraser', 'memhall_importer', 'memhall_gatekeeper')
       AND NOT rolcanlogin ORDER BY rolname`,
  );
  return rows.map(({ name }) => name);
}

async function listFunctions(client: Queryable): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT oid::regprocedure::text AS name FROM pg_proc
     WHERE pronamespace = 'memhall'::regnamespace AND proname = ANY ($1)
       AND NOT EXISTS (SELECT 1 FROM pg_dist_object WHERE classid = 'pg_proc'::regclass AND objid = pg_proc.oid)
     ORDER BY 1`,
    [functionsOfNodes],
  );
  return rows.map(({ name }) => name);
}
