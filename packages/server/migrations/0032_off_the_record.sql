-- memhall: additive
-- Sessions of which nothing is stored for a while.
CREATE TABLE memhall.unrecorded_sessions (
  tenant_id  text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  user_id    text COLLATE "C" NOT NULL CHECK (user_id <> ''),
  session_id text COLLATE "C" NOT NULL CHECK (session_id <> ''),
  started_at timestamptz NOT NULL,
  -- When it is over by itself; null if only when somebody ends it.
  until      timestamptz,
  PRIMARY KEY (tenant_id, user_id, session_id)
);
CREATE INDEX unrecorded_sessions_until ON memhall.unrecorded_sessions (tenant_id, until) WHERE until IS NOT NULL;

ALTER TABLE memhall.unrecorded_sessions ENABLE ROW LEVEL SECURITY;
ALTER TABLE memhall.unrecorded_sessions FORCE ROW LEVEL SECURITY;
CREATE POLICY unrecorded_sessions_user ON memhall.unrecorded_sessions TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND user_id = current_setting('app.user_id', true));
CREATE POLICY unrecorded_sessions_tenant ON memhall.unrecorded_sessions TO memhall_worker
  USING (tenant_id = current_setting('app.tenant_id', true));
CREATE POLICY unrecorded_sessions_eraser ON memhall.unrecorded_sessions TO memhall_eraser
  USING (tenant_id = current_setting('app.tenant_id', true));
CREATE POLICY unrecorded_sessions_importer ON memhall.unrecorded_sessions TO memhall_importer
  USING (tenant_id = current_setting('app.tenant_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON memhall.unrecorded_sessions TO memhall_app;
GRANT SELECT ON memhall.unrecorded_sessions TO memhall_worker;
GRANT SELECT, DELETE ON memhall.unrecorded_sessions TO memhall_eraser;
GRANT SELECT, INSERT ON memhall.unrecorded_sessions TO memhall_importer;
