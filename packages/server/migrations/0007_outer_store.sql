-- memhall: additive
-- How far the database agrees with a store outside of it that is the source of truth of artifacts.

-- user_id '' is the tenant's own chain.
CREATE TABLE memhall.outer_heads (
  tenant_id text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  user_id   text COLLATE "C" NOT NULL,
  -- The last change of the user's journal that is in the database; '' where there was none.
  change_id text COLLATE "C" NOT NULL,
  -- Audit records up to this one are in the outer store.
  audit_seq bigint NOT NULL,
  PRIMARY KEY (tenant_id, user_id)
);

ALTER TABLE memhall.outer_heads ENABLE ROW LEVEL SECURITY;
ALTER TABLE memhall.outer_heads FORCE ROW LEVEL SECURITY;
CREATE POLICY outer_heads_user ON memhall.outer_heads TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND user_id = current_setting('app.user_id', true));
CREATE POLICY outer_heads_all ON memhall.outer_heads FOR SELECT TO memhall_worker USING (true);
CREATE POLICY outer_heads_tenant ON memhall.outer_heads FOR DELETE TO memhall_worker
  USING (tenant_id = current_setting('app.tenant_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON memhall.outer_heads TO memhall_app;
GRANT SELECT, DELETE ON memhall.outer_heads TO memhall_worker;

-- Which outer store this database is derived from. Operators only; no tenant's data.
CREATE TABLE memhall.outer_store (
  is_only  boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  store_id text COLLATE "C" NOT NULL
);

ALTER TABLE memhall.outer_store ENABLE ROW LEVEL SECURITY;
ALTER TABLE memhall.outer_store FORCE ROW LEVEL SECURITY;
CREATE POLICY outer_store_operators ON memhall.outer_store TO memhall_worker USING (true);
GRANT SELECT, INSERT ON memhall.outer_store TO memhall_worker;
