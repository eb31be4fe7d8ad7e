-- memhall: additive
-- Texts that were taken out of tiers, since a model must not read them. They stay until somebody decides, or their workspace goes.

CREATE TABLE memhall.quarantine (
  tenant_id         text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  user_id           text COLLATE "C" NOT NULL CHECK (user_id <> ''),
  quarantine_id     text COLLATE "C" NOT NULL,
  -- The document it was found in.
  folder            text COLLATE "C" NOT NULL,
  name              text COLLATE "C" NOT NULL,
  -- SHA-256, hexadecimal.
  content_hash      text COLLATE "C" NOT NULL,
  content           text NOT NULL,
  category          text COLLATE "C" NOT NULL,
  rule              text COLLATE "C" NOT NULL,
  status            text COLLATE "C" NOT NULL CHECK (status IN ('held', 'released')),
  origin_updated_by text COLLATE "C" NOT NULL,
  origin_version    bigint NOT NULL,
  origin_etag       text COLLATE "C" NOT NULL,
  created_at        timestamptz NOT NULL,
  updated_at        timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, user_id, quarantine_id)
);
CREATE UNIQUE INDEX quarantine_place ON memhall.quarantine (tenant_id, user_id, folder, name, content_hash);

ALTER TABLE memhall.quarantine ENABLE ROW LEVEL SECURITY;
ALTER TABLE memhall.quarantine FORCE ROW LEVEL SECURITY;
CREATE POLICY quarantine_user ON memhall.quarantine TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND user_id = current_setting('app.user_id', true));
CREATE POLICY quarantine_tenant ON memhall.quarantine TO memhall_worker
  USING (tenant_id = current_setting('app.tenant_id', true));
CREATE POLICY quarantine_eraser ON memhall.quarantine TO memhall_eraser
  USING (tenant_id = current_setting('app.tenant_id', true));
CREATE POLICY quarantine_importer ON memhall.quarantine TO memhall_importer
  USING (tenant_id = current_setting('app.tenant_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON memhall.quarantine TO memhall_app;
GRANT SELECT ON memhall.quarantine TO memhall_worker;
GRANT SELECT, DELETE ON memhall.quarantine TO memhall_eraser;
GRANT SELECT, INSERT ON memhall.quarantine TO memhall_importer;
