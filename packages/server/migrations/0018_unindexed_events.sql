-- memhall: additive
-- Events whose document in an outer search index may be missing or old. Written only if such an index is configured.
CREATE TABLE memhall.unindexed_events (
  tenant_id text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  user_id   text COLLATE "C" NOT NULL CHECK (user_id <> ''),
  event_id  text COLLATE "C" NOT NULL,
  since     timestamptz NOT NULL,
  -- When the index accepted the document; null while the event waits for that. The index finds it a moment later.
  sent_at   timestamptz,
  PRIMARY KEY (tenant_id, user_id, event_id)
);

ALTER TABLE memhall.unindexed_events ENABLE ROW LEVEL SECURITY;
ALTER TABLE memhall.unindexed_events FORCE ROW LEVEL SECURITY;
CREATE POLICY unindexed_events_user ON memhall.unindexed_events TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND user_id = current_setting('app.user_id', true));
CREATE POLICY unindexed_events_tenant ON memhall.unindexed_events TO memhall_worker
  USING (tenant_id = current_setting('app.tenant_id', true));
CREATE POLICY unindexed_events_eraser ON memhall.unindexed_events TO memhall_eraser
  USING (tenant_id = current_setting('app.tenant_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON memhall.unindexed_events TO memhall_app;
GRANT SELECT ON memhall.unindexed_events TO memhall_worker;
GRANT SELECT, DELETE ON memhall.unindexed_events TO memhall_eraser;
