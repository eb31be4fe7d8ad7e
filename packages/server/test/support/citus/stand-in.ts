import type { Pool } from 'pg';

/**
 * Creates what Memhall asks of Citus, in a database without it: tables of metadata under their names, and functions that refuse what
 * Citus refuses and note what they would distribute. All rows stay where they are. That every statement could be sent to one node is
 * checked elsewhere, by `StatementRecorder`.
 */
export async function installCitusStandIn(pool: Pick<Pool, 'query'>): Promise<void> {
  await pool.query(`
    CREATE TABLE pg_dist_partition (logicalrelid regclass PRIMARY KEY, partmethod "char" NOT NULL, colocated_with regclass);
    CREATE TABLE pg_dist_local_group (groupid integer NOT NULL);
    INSERT INTO pg_dist_local_group VALUES (0);
    CREATE TABLE pg_dist_object (classid oid NOT NULL, objid oid NOT NULL, PRIMARY KEY (classid, objid));
    CREATE TABLE pg_dist_truncated (logicalrelid regclass PRIMARY KEY);
    GRANT SELECT ON pg_dist_partition, pg_dist_local_group, pg_dist_object TO PUBLIC;

    CREATE FUNCTION create_distributed_table(table_name regclass, distribution_column text, colocate_with text) RETURNS void
    LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (SELECT 1 FROM pg_dist_partition WHERE logicalrelid = table_name) THEN
        RAISE EXCEPTION 'table % is already distributed', table_name;
      END IF;
      IF EXISTS (SELECT 1 FROM pg_trigger WHERE tgrelid = table_name AND NOT tgisinternal) THEN
        RAISE EXCEPTION 'cannot distribute relation % because it has triggers', table_name;
      END IF;
      IF EXISTS (SELECT 1 FROM pg_policy WHERE polrelid = table_name
                 AND concat(pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)) LIKE '%SELECT%') THEN
        RAISE EXCEPTION 'Subqueries are not supported in policies on distributed tables';
      END IF;
      IF EXISTS (SELECT 1 FROM pg_index WHERE indrelid = table_name AND indisunique AND NOT EXISTS (
                   SELECT 1 FROM pg_attribute WHERE attrelid = table_name AND attnum = ANY (indkey::int2[]) AND attname = distribution_column)) THEN
        RAISE EXCEPTION 'a unique index of % does not include the distribution column', table_name;
      END IF;
      IF EXISTS (SELECT 1 FROM pg_constraint WHERE conrelid = table_name AND contype = 'f' AND confrelid <> conrelid
                 AND confrelid NOT IN (SELECT logicalrelid FROM pg_dist_partition)) THEN
        RAISE EXCEPTION 'the tables that % refers to must be distributed first', table_name;
      END IF;
      IF colocate_with <> 'none' AND NOT EXISTS (SELECT 1 FROM pg_dist_partition WHERE logicalrelid = colocate_with::regclass) THEN
        RAISE EXCEPTION 'relation % is not distributed', colocate_with;
      END IF;
      INSERT INTO pg_dist_partition VALUES (table_name, 'h', CASE WHEN colocate_with <> 'none' THEN colocate_with::regclass END);
    END $$;
    CREATE FUNCTION create_reference_table(table_name regclass) RETURNS void LANGUAGE sql AS $$
      INSERT INTO pg_dist_partition VALUES (table_name, 'n', NULL) $$;
    CREATE FUNCTION create_distributed_function(function_name regprocedure) RETURNS void LANGUAGE sql AS $$
      INSERT INTO pg_dist_object VALUES ('pg_proc'::regclass, function_name) $$;
    CREATE FUNCTION truncate_local_data_after_distributing_table(function_name regclass) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (SELECT 1 FROM pg_constraint WHERE confrelid = function_name AND contype = 'f'
                 AND conrelid NOT IN (SELECT logicalrelid FROM pg_dist_partition)) THEN
        RAISE EXCEPTION 'the supplied parameter is referenced by a local table';
      END IF;
      INSERT INTO pg_dist_truncated VALUES (function_name) ON CONFLICT DO NOTHING;
    END $$`);
}
