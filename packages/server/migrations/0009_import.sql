-- memhall: additive
-- Who may put an archive back: rows as they were, audit records among them, and nothing else.

DO $$
BEGIN
  BEGIN
    CREATE ROLE memhall_importer NOLOGIN NOINHERIT NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN
    NULL;
  END;
  IF NOT pg_has_role(current_user, 'memhall_importer', 'MEMBER') THEN
    EXECUTE 'GRANT memhall_importer TO CURRENT_USER';
  END IF;
END
$$;

GRANT USAGE ON SCHEMA memhall TO memhall_importer;

-- memhall_importer adds rows, one tenant at a time, to every table that archives have. It cannot change or remove any: of all there is
-- only the end of an audit chain moves. Later migrations have to let it at their own tables; a test sees to that.
DO $$
DECLARE
  v_table text;
BEGIN
  FOR v_table IN
    SELECT relname FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attname = 'tenant_id' AND NOT attisdropped
    WHERE relnamespace = 'memhall'::regnamespace AND relkind IN ('r', 'p')
      AND relname NOT IN ('memory_removals', 'large_partitions', 'memory_postings', 'memory_terms', 'outer_heads')
  LOOP
    EXECUTE format($policy$CREATE POLICY %I ON memhall.%I TO memhall_importer
      USING (tenant_id = current_setting('app.tenant_id', true))$policy$, v_table || '_importer', v_table);
    EXECUTE format('GRANT SELECT, INSERT ON memhall.%I TO memhall_importer', v_table);
  END LOOP;
END
$$;
GRANT UPDATE ON memhall.audit_heads TO memhall_importer;
-- Orders of arrival are kept, so the sequence they come from has to go past them.
GRANT USAGE, SELECT ON SEQUENCE memhall.memory_revision TO memhall_importer, memhall_worker;
