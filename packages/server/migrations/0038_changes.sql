-- memhall: additive
-- What changed, for readers that follow it: ids only, no content. Rows are removed after some weeks.

CREATE SEQUENCE memhall.change_position;
GRANT USAGE ON SEQUENCE memhall.change_position TO memhall_app, memhall_worker, memhall_eraser;
GRANT SELECT ON SEQUENCE memhall.change_position TO memhall_worker;

CREATE TABLE memhall.changes (
  tenant_id  text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  partition  text COLLATE "C" NOT NULL,
  -- Within a partition the order of positions is the order of commits, because those who change a partition wait for each other.
  position   bigint NOT NULL DEFAULT nextval('memhall.change_position'),
  -- Whose change it was; '' for nobody's.
  user_id    text COLLATE "C" NOT NULL,
  -- Of a note in a workspace: the agent or crew it belongs to.
  note_owner text COLLATE "C",
  operation  text COLLATE "C" NOT NULL,
  kind       text COLLATE "C" NOT NULL,
  id         text COLLATE "C" NOT NULL,
  at         timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, partition, position)
);
CREATE INDEX changes_user ON memhall.changes (tenant_id, user_id);
CREATE INDEX changes_at ON memhall.changes (tenant_id, at);

ALTER TABLE memhall.changes ENABLE ROW LEVEL SECURITY;
ALTER TABLE memhall.changes FORCE ROW LEVEL SECURITY;
CREATE POLICY changes_visible ON memhall.changes FOR SELECT TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND memhall.may_see(partition)
    AND memhall.may_see_note(partition, note_owner));
CREATE POLICY changes_insert ON memhall.changes FOR INSERT TO memhall_app
  WITH CHECK (tenant_id = current_setting('app.tenant_id', true) AND memhall.may_write(partition));
CREATE POLICY changes_tenant ON memhall.changes TO memhall_worker
  USING (tenant_id = current_setting('app.tenant_id', true));
CREATE POLICY changes_eraser ON memhall.changes TO memhall_eraser
  USING (tenant_id = current_setting('app.tenant_id', true));
-- Nobody changes what was.
GRANT SELECT, INSERT ON memhall.changes TO memhall_app;
GRANT SELECT, INSERT, DELETE ON memhall.changes TO memhall_worker, memhall_eraser;
