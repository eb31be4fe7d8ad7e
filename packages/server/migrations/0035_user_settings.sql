-- memhall: additive
-- What a user has set for themselves.

CREATE TABLE memhall.user_settings (
  tenant_id  text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  user_id    text COLLATE "C" NOT NULL CHECK (user_id <> ''),
  -- A name of the IANA list: days and weeks in statements and queries are those of this zone.
  time_zone  text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, user_id)
);

ALTER TABLE memhall.user_settings ENABLE ROW LEVEL SECURITY;
ALTER TABLE memhall.user_settings FORCE ROW LEVEL SECURITY;
CREATE POLICY user_settings_user ON memhall.user_settings TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND user_id = current_setting('app.user_id', true));
CREATE POLICY user_settings_tenant ON memhall.user_settings TO memhall_worker
  USING (tenant_id = current_setting('app.tenant_id', true));
CREATE POLICY user_settings_eraser ON memhall.user_settings TO memhall_eraser
  USING (tenant_id = current_setting('app.tenant_id', true));
CREATE POLICY user_settings_importer ON memhall.user_settings TO memhall_importer
  USING (tenant_id = current_setting('app.tenant_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON memhall.user_settings TO memhall_app;
GRANT SELECT ON memhall.user_settings TO memhall_worker;
GRANT SELECT, DELETE ON memhall.user_settings TO memhall_eraser;
GRANT SELECT, INSERT ON memhall.user_settings TO memhall_importer;
