-- memhall: additive
-- Tokens that are revoked before they expire. Every node reads them every few seconds.
CREATE TABLE memhall.token_revocations (
  tenant_id     text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  id            text COLLATE "C" NOT NULL,
  -- token: one token; user: tokens of a user; tenant: tokens of everybody.
  kind          text COLLATE "C" NOT NULL CHECK (kind IN ('token', 'user', 'tenant')),
  -- The id of the token or of the user, else ''.
  subject       text COLLATE "C" NOT NULL,
  -- Tokens issued before this are revoked; null for one token.
  issued_before timestamptz,
  -- When all these tokens have expired by themselves; null if nobody knows.
  expires_at    timestamptz,
  created_at    timestamptz NOT NULL,
  updated_at    timestamptz NOT NULL,
  -- Kept for a while, so that every node learns of it.
  undone_at     timestamptz,
  PRIMARY KEY (tenant_id, id),
  CHECK ((kind = 'token') = (issued_before IS NULL))
);
CREATE UNIQUE INDEX token_revocations_subject ON memhall.token_revocations (tenant_id, kind, subject);
-- What has changed, in any tenant.
CREATE INDEX token_revocations_updated ON memhall.token_revocations (updated_at);

ALTER TABLE memhall.token_revocations ENABLE ROW LEVEL SECURITY;
ALTER TABLE memhall.token_revocations FORCE ROW LEVEL SECURITY;
-- No content, read across tenants by who checks tokens.
CREATE POLICY token_revocations_list ON memhall.token_revocations FOR SELECT TO memhall_worker USING (true);
CREATE POLICY token_revocations_tenant ON memhall.token_revocations TO memhall_worker
  USING (tenant_id = current_setting('app.tenant_id', true));
CREATE POLICY token_revocations_eraser ON memhall.token_revocations TO memhall_eraser
  USING (tenant_id = current_setting('app.tenant_id', true));
CREATE POLICY token_revocations_importer ON memhall.token_revocations TO memhall_importer
  USING (tenant_id = current_setting('app.tenant_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON memhall.token_revocations TO memhall_worker;
GRANT SELECT ON memhall.token_revocations TO memhall_eraser;
GRANT SELECT, INSERT ON memhall.token_revocations TO memhall_importer;
