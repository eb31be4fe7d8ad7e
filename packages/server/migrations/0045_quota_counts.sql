-- memhall: additive
-- Requests of the current minute that nodes may let through. Unlogged: a row costs no write-ahead log, and after a crash or a failover
-- the minute starts again.
CREATE UNLOGGED TABLE memhall.quota_counts (
  tenant_id text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  -- Hash of whose requests are counted.
  key       text COLLATE "C" NOT NULL,
  ends_at   timestamptz NOT NULL,
  -- Requests that nodes were granted together, and how many the last grant was.
  used      integer NOT NULL,
  granted   integer NOT NULL,
  PRIMARY KEY (tenant_id, key)
) WITH (fillfactor = 50);

ALTER TABLE memhall.quota_counts ENABLE ROW LEVEL SECURITY;
ALTER TABLE memhall.quota_counts FORCE ROW LEVEL SECURITY;
CREATE POLICY quota_counts_tenant ON memhall.quota_counts TO memhall_worker
  USING (tenant_id = current_setting('app.tenant_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON memhall.quota_counts TO memhall_worker;
