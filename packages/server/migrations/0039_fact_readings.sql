-- memhall: additive
-- How far the memories of a user were read for facts that an older version did not learn from them.

CREATE TABLE memhall.fact_readings (
  tenant_id   text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  user_id     text COLLATE "C" NOT NULL CHECK (user_id <> ''),
  -- Memories that arrived later were read when they were stored.
  until_seq   bigint NOT NULL,
  -- The last one that was read. They are read in the order in which they took place. Null if none was.
  occurred_at timestamptz,
  seq         bigint,
  -- How many are left, with those that were forgotten since it began.
  remaining   bigint NOT NULL,
  created_at  timestamptz NOT NULL,
  finished_at timestamptz,
  PRIMARY KEY (tenant_id, user_id)
);

ALTER TABLE memhall.fact_readings ENABLE ROW LEVEL SECURITY;
ALTER TABLE memhall.fact_readings FORCE ROW LEVEL SECURITY;
CREATE POLICY fact_readings_user ON memhall.fact_readings TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND user_id = current_setting('app.user_id', true));
CREATE POLICY fact_readings_tenant ON memhall.fact_readings TO memhall_worker
  USING (tenant_id = current_setting('app.tenant_id', true));
CREATE POLICY fact_readings_eraser ON memhall.fact_readings TO memhall_eraser
  USING (tenant_id = current_setting('app.tenant_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON memhall.fact_readings TO memhall_app;
GRANT SELECT ON memhall.fact_readings TO memhall_worker;
GRANT SELECT, DELETE ON memhall.fact_readings TO memhall_eraser;
-- Who has memories from before this migration is found by when it was applied.
GRANT SELECT ON memhall.migrations TO memhall_worker;
