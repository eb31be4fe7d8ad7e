-- memhall: additive
-- What recall ranks by, of up to two thousand memories in one row: the first recall after a start reads fifty rows instead of a
-- hundred thousand. Pages are derived from memories, and are written in the background.

-- The memories of a partition with a revision after `after` and up to `up_to`, in that order. A page is never changed.
CREATE TABLE memhall.memory_pages (
  tenant_id   text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  partition   text COLLATE "C" NOT NULL,
  -- Whose vectors the signs are from.
  model       text COLLATE "C" NOT NULL,
  after       bigint NOT NULL,
  up_to       bigint NOT NULL CHECK (up_to > after),
  count       integer NOT NULL,
  -- As recall reads them from memories; see store/postgres/index-columns.
  records     bytea NOT NULL,
  kinds       text NOT NULL,
  session_ids text NOT NULL,
  agent_ids   text NOT NULL,
  terms       bytea NOT NULL,
  signs       bytea NOT NULL,
  marks       bytea NOT NULL,
  mark_owners text NOT NULL,
  PRIMARY KEY (tenant_id, partition, model, after)
);
-- Hashes and signs do not get smaller.
ALTER TABLE memhall.memory_pages
  ALTER COLUMN records SET STORAGE EXTERNAL,
  ALTER COLUMN terms SET STORAGE EXTERNAL,
  ALTER COLUMN signs SET STORAGE EXTERNAL;

-- A page goes in the transaction that removes or changes one of its memories, whichever way that happens: nothing of what is gone
-- remains in it. Every change of a memory gives it a new revision.
CREATE FUNCTION memhall.drop_changed_pages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM memhall.memory_pages AS p USING gone
    WHERE p.tenant_id = gone.tenant_id AND p.partition = gone.partition AND p.after < gone.revision AND p.up_to >= gone.revision;
  RETURN NULL;
END
$$;
CREATE TRIGGER memories_left_page AFTER DELETE ON memhall.memories
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION memhall.drop_changed_pages();
CREATE TRIGGER memories_changed_page AFTER UPDATE ON memhall.memories
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION memhall.drop_changed_pages();

ALTER TABLE memhall.memory_pages ENABLE ROW LEVEL SECURITY;
ALTER TABLE memhall.memory_pages FORCE ROW LEVEL SECURITY;
-- Who reads only some notes of a workspace reads no page of it. Who changes a memory always finds its page.
CREATE POLICY memory_pages_visible ON memhall.memory_pages FOR SELECT TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true)
    AND (memhall.may_write(partition) OR (memhall.may_see(partition) AND memhall.may_see_note(partition, NULL))));
CREATE POLICY memory_pages_insert ON memhall.memory_pages FOR INSERT TO memhall_app
  WITH CHECK (tenant_id = current_setting('app.tenant_id', true) AND memhall.may_write(partition));
CREATE POLICY memory_pages_delete ON memhall.memory_pages FOR DELETE TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND memhall.may_write(partition));
CREATE POLICY memory_pages_tenant ON memhall.memory_pages TO memhall_worker
  USING (tenant_id = current_setting('app.tenant_id', true));
CREATE POLICY memory_pages_eraser ON memhall.memory_pages TO memhall_eraser
  USING (tenant_id = current_setting('app.tenant_id', true));
GRANT SELECT, INSERT, DELETE ON memhall.memory_pages TO memhall_app;
GRANT SELECT, DELETE ON memhall.memory_pages TO memhall_worker, memhall_eraser;
