-- memhall: additive
-- Earlier versions of memories, so that a recall can answer with what was known at an earlier time. A version goes with its memory.

ALTER TABLE memhall.memories
  -- When it came to be as it is; null if it never changed.
  ADD COLUMN version_at timestamptz,
  -- When it got its vector; null if it had one from the beginning of this version, or has none.
  ADD COLUMN embedded_at timestamptz;

CREATE TABLE memhall.memory_versions (
  tenant_id       text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  id              text COLLATE "C" NOT NULL,
  user_id         text COLLATE "C" NOT NULL,
  namespace       text COLLATE "C",
  is_public       boolean NOT NULL,
  partition       text COLLATE "C" NOT NULL GENERATED ALWAYS AS (
    CASE WHEN namespace IS NOT NULL THEN 'n:' || namespace WHEN is_public THEN 'p:' ELSE 'u:' || user_id END) STORED,
  -- Of the memory at that time: tells the versions of a memory apart.
  revision        bigint NOT NULL,
  -- It was like this from then on, and until then.
  began_at        timestamptz NOT NULL,
  ended_at        timestamptz NOT NULL,
  kind            text COLLATE "C" NOT NULL,
  content         text NOT NULL,
  cue             text,
  content_hash    text COLLATE "C" NOT NULL,
  external_id     text COLLATE "C",
  unique_content  boolean NOT NULL,
  tags            text[] NOT NULL,
  source          text COLLATE "C",
  session_id      text COLLATE "C",
  plan_id         text COLLATE "C",
  agent_id        text COLLATE "C",
  role            text COLLATE "C",
  is_pinned       boolean NOT NULL,
  expires_at      timestamptz,
  occurred_at     timestamptz NOT NULL,
  metadata        jsonb NOT NULL,
  propagation     json,
  created_at      timestamptz NOT NULL,
  updated_at      timestamptz NOT NULL,
  surface         text COLLATE "C",
  author          text COLLATE "C",
  trust           text COLLATE "C",
  recorded_at     timestamptz,
  analysis        text COLLATE "C" NOT NULL,
  terms           bytea NOT NULL,
  term_count      integer NOT NULL,
  traits          integer NOT NULL,
  embedding_model text COLLATE "C",
  embedding       halfvec,
  embedded_at     timestamptz,
  PRIMARY KEY (tenant_id, id, revision),
  FOREIGN KEY (tenant_id, id) REFERENCES memhall.memories ON DELETE CASCADE
);
CREATE INDEX memory_versions_time ON memhall.memory_versions (tenant_id, partition, ended_at);
CREATE INDEX memory_versions_user ON memhall.memory_versions (tenant_id, user_id);

ALTER TABLE memhall.memory_versions ENABLE ROW LEVEL SECURITY;
ALTER TABLE memhall.memory_versions FORCE ROW LEVEL SECURITY;
CREATE POLICY memory_versions_visible ON memhall.memory_versions FOR SELECT TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND memhall.may_see(partition)
    AND memhall.may_see_note(partition, agent_id));
CREATE POLICY memory_versions_insert ON memhall.memory_versions FOR INSERT TO memhall_app
  WITH CHECK (tenant_id = current_setting('app.tenant_id', true) AND memhall.may_write(partition)
    AND (namespace IS NOT NULL OR user_id = current_setting('app.user_id', true)));
CREATE POLICY memory_versions_tenant ON memhall.memory_versions TO memhall_worker
  USING (tenant_id = current_setting('app.tenant_id', true));
CREATE POLICY memory_versions_eraser ON memhall.memory_versions TO memhall_eraser
  USING (tenant_id = current_setting('app.tenant_id', true));
CREATE POLICY memory_versions_importer ON memhall.memory_versions TO memhall_importer
  USING (tenant_id = current_setting('app.tenant_id', true));
-- Nobody changes what was.
GRANT SELECT, INSERT ON memhall.memory_versions TO memhall_app, memhall_worker, memhall_importer;
GRANT SELECT, DELETE ON memhall.memory_versions TO memhall_eraser;
GRANT UPDATE (author) ON memhall.memory_versions TO memhall_eraser;
