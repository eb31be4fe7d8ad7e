-- memhall: additive
-- Documents whose values agree with the facts of a subject and an attribute. A change of such a fact makes the document due, in the same
-- transaction; a job then patches it. A row outlives the value: undoing the end of a fact brings the value back.

CREATE TABLE memhall.fact_places (
  tenant_id     text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  user_id       text COLLATE "C" NOT NULL CHECK (user_id <> ''),
  subject_key   text COLLATE "C" NOT NULL,
  attribute_key text COLLATE "C" NOT NULL,
  namespace     text COLLATE "C" NOT NULL,
  path          text COLLATE "C" NOT NULL,
  -- When the document must be compared with the facts; null if no fact begins or ends later.
  due_at        timestamptz,
  -- Counts the changes, so that none is missed while a document is being compared.
  changes       bigint NOT NULL DEFAULT 0,
  created_at    timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, user_id, subject_key, attribute_key, namespace, path)
);
CREATE INDEX fact_places_attribute ON memhall.fact_places (tenant_id, user_id, attribute_key);
CREATE INDEX fact_places_due ON memhall.fact_places (tenant_id, due_at) WHERE due_at IS NOT NULL;

ALTER TABLE memhall.fact_places ENABLE ROW LEVEL SECURITY;
ALTER TABLE memhall.fact_places FORCE ROW LEVEL SECURITY;
CREATE POLICY fact_places_user ON memhall.fact_places TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND user_id = current_setting('app.user_id', true));
CREATE POLICY fact_places_tenant ON memhall.fact_places TO memhall_worker
  USING (tenant_id = current_setting('app.tenant_id', true));
CREATE POLICY fact_places_eraser ON memhall.fact_places TO memhall_eraser
  USING (tenant_id = current_setting('app.tenant_id', true));
CREATE POLICY fact_places_importer ON memhall.fact_places TO memhall_importer
  USING (tenant_id = current_setting('app.tenant_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON memhall.fact_places TO memhall_app;
GRANT SELECT ON memhall.fact_places TO memhall_worker;
GRANT SELECT, DELETE ON memhall.fact_places TO memhall_eraser;
GRANT SELECT, INSERT ON memhall.fact_places TO memhall_importer;
