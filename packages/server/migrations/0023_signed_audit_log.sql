-- memhall: additive
-- A Merkle tree over the audit records of a tenant, whose root is signed with a key that is not in the database.

-- A tenant has one open log. A log is closed when its key is lost, and when it comes from an archive: another database may go on
-- with it.
CREATE TABLE memhall.audit_logs (
  tenant_id  text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  log_id     text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  is_open    boolean NOT NULL DEFAULT false,
  PRIMARY KEY (tenant_id, log_id)
);
CREATE UNIQUE INDEX audit_logs_open ON memhall.audit_logs (tenant_id) WHERE is_open;

-- Which chain of a log is whose. Erased with the user, so that the log itself names nobody.
CREATE TABLE memhall.audit_log_chains (
  tenant_id  text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  user_id    text COLLATE "C" NOT NULL,
  log_id     text COLLATE "C" NOT NULL,
  chain_id   text COLLATE "C" NOT NULL,
  -- The last record that has a leaf.
  seq        bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, user_id, log_id)
);
CREATE UNIQUE INDEX audit_log_chains_chain ON memhall.audit_log_chains (tenant_id, log_id, chain_id);

-- One leaf for each audit record: the hash that the record has in its chain. Leaves are never changed or removed.
CREATE TABLE memhall.audit_log_leaves (
  tenant_id text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  log_id    text COLLATE "C" NOT NULL,
  position  bigint NOT NULL CHECK (position >= 0),
  chain_id  text COLLATE "C" NOT NULL,
  seq       bigint NOT NULL,
  hash      bytea NOT NULL,
  -- Hashes of the perfect subtrees that end with this leaf, from two leaves upwards, 32 bytes each.
  nodes     bytea NOT NULL,
  PRIMARY KEY (tenant_id, log_id, position)
);
CREATE UNIQUE INDEX audit_log_leaves_record ON memhall.audit_log_leaves (tenant_id, log_id, chain_id, seq);

CREATE TABLE memhall.audit_log_heads (
  tenant_id    text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  log_id       text COLLATE "C" NOT NULL,
  size         bigint NOT NULL CHECK (size > 0),
  root         text COLLATE "C" NOT NULL,
  -- As it was signed.
  at           text COLLATE "C" NOT NULL,
  key          text COLLATE "C" NOT NULL,
  signature    text COLLATE "C" NOT NULL,
  -- When the witness confirmed it.
  witnessed_at timestamptz,
  PRIMARY KEY (tenant_id, log_id, size)
);
CREATE INDEX audit_log_heads_waiting ON memhall.audit_log_heads (tenant_id, log_id, size) WHERE witnessed_at IS NULL;

DO $$
DECLARE
  v_table text;
BEGIN
  FOREACH v_table IN ARRAY ARRAY['audit_logs', 'audit_log_chains', 'audit_log_leaves', 'audit_log_heads'] LOOP
    EXECUTE format('ALTER TABLE memhall.%I ENABLE ROW LEVEL SECURITY', v_table);
    EXECUTE format('ALTER TABLE memhall.%I FORCE ROW LEVEL SECURITY', v_table);
    EXECUTE format($policy$CREATE POLICY %I ON memhall.%I TO memhall_worker
      USING (tenant_id = current_setting('app.tenant_id', true))$policy$, v_table || '_tenant', v_table);
    EXECUTE format($policy$CREATE POLICY %I ON memhall.%I TO memhall_eraser
      USING (tenant_id = current_setting('app.tenant_id', true))$policy$, v_table || '_eraser', v_table);
    EXECUTE format($policy$CREATE POLICY %I ON memhall.%I TO memhall_importer
      USING (tenant_id = current_setting('app.tenant_id', true))$policy$, v_table || '_importer', v_table);
    EXECUTE format('GRANT SELECT, INSERT ON memhall.%I TO memhall_worker, memhall_importer', v_table);
    EXECUTE format('GRANT SELECT ON memhall.%I TO memhall_eraser', v_table);
  END LOOP;
END
$$;
-- As audit_heads: no content, read across tenants by who signs and verifies.
CREATE POLICY audit_logs_list ON memhall.audit_logs FOR SELECT TO memhall_worker USING (true);
CREATE POLICY audit_log_chains_list ON memhall.audit_log_chains FOR SELECT TO memhall_worker USING (true);
CREATE POLICY audit_log_heads_list ON memhall.audit_log_heads FOR SELECT TO memhall_worker USING (true);

GRANT UPDATE (is_open) ON memhall.audit_logs TO memhall_worker;
GRANT UPDATE (seq) ON memhall.audit_log_chains TO memhall_worker;
GRANT UPDATE (witnessed_at) ON memhall.audit_log_heads TO memhall_worker;
GRANT DELETE ON memhall.audit_log_chains TO memhall_eraser;
