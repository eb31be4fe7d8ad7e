-- memhall: additive
-- Forgetting users, erasing tenants, holding both back, and letting things go with age; receipts of what went.

DO $$
BEGIN
  BEGIN
    CREATE ROLE memhall_eraser NOLOGIN NOINHERIT NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN
    NULL;
  END;
  IF NOT pg_has_role(current_user, 'memhall_eraser', 'MEMBER') THEN
    EXECUTE 'GRANT memhall_eraser TO CURRENT_USER';
  END IF;
END
$$;

GRANT USAGE ON SCHEMA memhall TO memhall_eraser;

CREATE TABLE memhall.legal_holds (
  tenant_id  text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  name       text COLLATE "C" NOT NULL,
  -- NULL: every user of the tenant.
  user_ids   text[] COLLATE "C",
  reason     text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, name)
);

-- NULL: no ceiling.
CREATE TABLE memhall.retention_ceilings (
  tenant_id      text COLLATE "C" PRIMARY KEY CHECK (tenant_id <> ''),
  snapshots_days integer,
  events_days    integer,
  audit_days     integer,
  updated_at     timestamptz NOT NULL
);

CREATE TABLE memhall.receipts (
  tenant_id    text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  id           text COLLATE "C" NOT NULL,
  -- '': the whole tenant.
  user_id      text COLLATE "C" NOT NULL,
  started_at   timestamptz NOT NULL,
  -- NULL: under way.
  finished_at  timestamptz,
  counts       json NOT NULL,
  hash         text COLLATE "C",
  -- By this server's clock. What came in before must not be written any more; infinity while the erasure is under way.
  effective_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX receipts_effect ON memhall.receipts (tenant_id, user_id, effective_at);

-- Where retention cut off the beginning of a chain: the last record that went.
CREATE TABLE memhall.audit_cuts (
  tenant_id text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  user_id   text COLLATE "C" NOT NULL,
  seq       bigint NOT NULL,
  hash      bytea NOT NULL,
  PRIMARY KEY (tenant_id, user_id)
);

-- The state from which a document is rebuilt, since the records that led to it were cut off.
ALTER TABLE memhall.document_checkpoints ADD COLUMN is_beginning boolean NOT NULL DEFAULT false;

-- What a user wrote for others to see.
CREATE INDEX memories_author ON memhall.memories (tenant_id, user_id) WHERE namespace IS NOT NULL OR is_public;

-- As before, for a request that came in then, by this server's clock in milliseconds: refused if what it belongs to was erased
-- since, also where it has no records.
CREATE FUNCTION memhall.append_audit(p_tenant_id text, p_user_id text, p_records text[], p_arrived_ms double precision)
RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM memhall.receipts
             WHERE tenant_id = p_tenant_id AND user_id IN (p_user_id, '')
               AND effective_at >= to_timestamp(p_arrived_ms / 1000)) THEN
    RAISE EXCEPTION 'erased while the request was under way' USING ERRCODE = 'MH001';
  END IF;
  IF cardinality(p_records) = 0 THEN
    RETURN 0;
  END IF;
  RETURN memhall.append_audit(p_tenant_id, p_user_id, p_records);
END
$$;

ALTER TABLE memhall.legal_holds ENABLE ROW LEVEL SECURITY;
ALTER TABLE memhall.legal_holds FORCE ROW LEVEL SECURITY;
ALTER TABLE memhall.retention_ceilings ENABLE ROW LEVEL SECURITY;
ALTER TABLE memhall.retention_ceilings FORCE ROW LEVEL SECURITY;
ALTER TABLE memhall.receipts ENABLE ROW LEVEL SECURITY;
ALTER TABLE memhall.receipts FORCE ROW LEVEL SECURITY;
ALTER TABLE memhall.audit_cuts ENABLE ROW LEVEL SECURITY;
ALTER TABLE memhall.audit_cuts FORCE ROW LEVEL SECURITY;

CREATE POLICY legal_holds_tenant ON memhall.legal_holds TO memhall_worker
  USING (tenant_id = current_setting('app.tenant_id', true));
CREATE POLICY retention_ceilings_tenant ON memhall.retention_ceilings TO memhall_worker
  USING (tenant_id = current_setting('app.tenant_id', true));
CREATE POLICY receipts_user ON memhall.receipts TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND user_id IN (current_setting('app.user_id', true), ''));
CREATE POLICY receipts_tenant ON memhall.receipts TO memhall_worker
  USING (tenant_id = current_setting('app.tenant_id', true));
CREATE POLICY audit_cuts_user ON memhall.audit_cuts TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND user_id = current_setting('app.user_id', true));
-- As audit_heads: no content, read across tenants by who verifies the chains.
CREATE POLICY audit_cuts_list ON memhall.audit_cuts FOR SELECT TO memhall_worker USING (true);

GRANT SELECT, INSERT, UPDATE, DELETE ON memhall.legal_holds, memhall.retention_ceilings TO memhall_worker;
GRANT SELECT ON memhall.receipts, memhall.audit_cuts TO memhall_app, memhall_worker;

-- memhall_eraser removes: one tenant at a time, from every table there is, but for holds and receipts. It changes nothing but what
-- says that something was removed. Later migrations have to let it at their own tables; a test sees to that.
DO $$
DECLARE
  v_table text;
BEGIN
  FOR v_table IN
    SELECT relname FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attname = 'tenant_id' AND NOT attisdropped
    WHERE relnamespace = 'memhall'::regnamespace AND relkind IN ('r', 'p')
  LOOP
    EXECUTE format($policy$CREATE POLICY %I ON memhall.%I TO memhall_eraser
      USING (tenant_id = current_setting('app.tenant_id', true))$policy$, v_table || '_eraser', v_table);
    IF v_table IN ('legal_holds', 'receipts') THEN
      EXECUTE format('GRANT SELECT ON memhall.%I TO memhall_eraser', v_table);
    ELSE
      EXECUTE format('GRANT SELECT, DELETE ON memhall.%I TO memhall_eraser', v_table);
    END IF;
  END LOOP;
END
$$;
GRANT INSERT, UPDATE ON memhall.receipts, memhall.audit_cuts, memhall.audit_heads TO memhall_eraser;
GRANT INSERT, UPDATE ON memhall.document_checkpoints TO memhall_eraser;
GRANT INSERT ON memhall.audit_records, memhall.memory_removals TO memhall_eraser;
-- Counts that triggers keep while memories go.
GRANT UPDATE ON memhall.large_partitions, memhall.memory_terms TO memhall_eraser;
GRANT USAGE ON SEQUENCE memhall.memory_revision TO memhall_eraser;

REVOKE EXECUTE ON FUNCTION memhall.append_audit(text, text, text[], double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION memhall.append_audit(text, text, text[], double precision) TO memhall_app, memhall_worker, memhall_eraser;
GRANT EXECUTE ON FUNCTION memhall.append_audit(text, text, text[]) TO memhall_eraser;
