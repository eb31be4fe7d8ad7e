-- memhall: additive
-- What was removed when an administrator took back a source, until it is restored or purged. Nothing else reads it.

CREATE TABLE memhall.reverted_rows (
  tenant_id text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  -- '' for memories of a namespace that belong to nobody.
  user_id   text COLLATE "C" NOT NULL,
  revert_id text COLLATE "C" NOT NULL,
  kind      text COLLATE "C" NOT NULL,
  key       text COLLATE "C" NOT NULL,
  body      json NOT NULL,
  at        timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, user_id, revert_id, kind, key)
);
CREATE INDEX reverted_rows_revert ON memhall.reverted_rows (tenant_id, revert_id);
CREATE INDEX reverted_rows_at ON memhall.reverted_rows (tenant_id, user_id, at);

ALTER TABLE memhall.reverted_rows ENABLE ROW LEVEL SECURITY;
ALTER TABLE memhall.reverted_rows FORCE ROW LEVEL SECURITY;
CREATE POLICY reverted_rows_user ON memhall.reverted_rows TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND user_id = current_setting('app.user_id', true));
CREATE POLICY reverted_rows_tenant ON memhall.reverted_rows TO memhall_worker
  USING (tenant_id = current_setting('app.tenant_id', true));
CREATE POLICY reverted_rows_eraser ON memhall.reverted_rows TO memhall_eraser
  USING (tenant_id = current_setting('app.tenant_id', true));
GRANT SELECT, INSERT, DELETE ON memhall.reverted_rows TO memhall_app;
GRANT SELECT ON memhall.reverted_rows TO memhall_worker;
GRANT SELECT, DELETE ON memhall.reverted_rows TO memhall_eraser;
