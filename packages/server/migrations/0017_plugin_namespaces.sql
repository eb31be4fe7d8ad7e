-- memhall: additive
-- Memories of namespaces are listed by the date they were first stored, which for copies from an older store is long ago.
CREATE INDEX memories_created ON memhall.memories (tenant_id, partition, created_at, seq) WHERE namespace IS NOT NULL;

-- Namespaces of an external memory plugin that the host has written to or read from. The plugin contract has no list of them.
CREATE TABLE memhall.plugin_namespaces (
  tenant_id     text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  name          text COLLATE "C" NOT NULL CHECK (name <> ''),
  first_used_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, name)
);

ALTER TABLE memhall.plugin_namespaces ENABLE ROW LEVEL SECURITY;
ALTER TABLE memhall.plugin_namespaces FORCE ROW LEVEL SECURITY;
CREATE POLICY plugin_namespaces_tenant ON memhall.plugin_namespaces TO memhall_worker
  USING (tenant_id = current_setting('app.tenant_id', true));
CREATE POLICY plugin_namespaces_eraser ON memhall.plugin_namespaces TO memhall_eraser
  USING (tenant_id = current_setting('app.tenant_id', true));
CREATE POLICY plugin_namespaces_importer ON memhall.plugin_namespaces TO memhall_importer
  USING (tenant_id = current_setting('app.tenant_id', true));
GRANT SELECT, INSERT ON memhall.plugin_namespaces TO memhall_worker, memhall_importer;
GRANT SELECT, DELETE ON memhall.plugin_namespaces TO memhall_eraser;
