-- memhall: additive
-- Memories of every kind, the namespaces some of them live in, and what a tenant chose for its own.

CREATE TABLE memhall.tenants (
  tenant_id text COLLATE "C" PRIMARY KEY CHECK (tenant_id <> ''),
  -- By which language's rules words are compared; see engine/memories/analysis.
  language  text COLLATE "C" NOT NULL
);

CREATE TABLE memhall.namespaces (
  tenant_id  text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  name       text COLLATE "C" NOT NULL CHECK (name <> ''),
  kind       text COLLATE "C" NOT NULL,
  expires_at timestamptz,
  metadata   json,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, name)
);

CREATE SEQUENCE memhall.memory_revision AS bigint;

-- A memory belongs to one partition: what is searched together and written under one lock. A user's own memories are one
-- (u:<user>), a tenant's public ones another (p:), each namespace one more (n:<name>).
CREATE TABLE memhall.memories (
  tenant_id       text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  id              text COLLATE "C" NOT NULL,
  -- '' only in a namespace.
  user_id         text COLLATE "C" NOT NULL CHECK (user_id <> '' OR namespace IS NOT NULL),
  namespace       text COLLATE "C",
  is_public       boolean NOT NULL DEFAULT false,
  partition       text COLLATE "C" NOT NULL GENERATED ALWAYS AS
                    (CASE WHEN namespace IS NOT NULL THEN 'n:' || namespace WHEN is_public THEN 'p:' ELSE 'u:' || user_id END) STORED,
  kind            text COLLATE "C" NOT NULL,
  content         text NOT NULL,
  -- Further text by which it is found; not part of what it says.
  cue             text,
  content_hash    text COLLATE "C" NOT NULL,
  external_id     text COLLATE "C",
  -- Whether the content itself is the key where there is no external_id.
  unique_content  boolean NOT NULL DEFAULT false,
  tags            text[] NOT NULL DEFAULT '{}',
  source          text COLLATE "C",
  session_id      text COLLATE "C",
  plan_id         text COLLATE "C",
  agent_id        text COLLATE "C",
  role            text COLLATE "C",
  is_pinned       boolean NOT NULL DEFAULT false,
  expires_at      timestamptz,
  occurred_at     timestamptz NOT NULL,
  metadata        jsonb NOT NULL DEFAULT '{}',
  propagation     json,
  created_at      timestamptz NOT NULL,
  updated_at      timestamptz NOT NULL,
  -- Order of arrival; never changes.
  seq             bigint NOT NULL DEFAULT nextval('memhall.memory_revision'),
  -- New with every change. Within a partition, later changes have greater ones: who has read up to a revision is brought
  -- up to date by reading on from there.
  revision        bigint NOT NULL DEFAULT nextval('memhall.memory_revision'),
  embedding       halfvec,
  embedding_model text COLLATE "C" CHECK ((embedding IS NULL) = (embedding_model IS NULL)),
  -- The content as recall compares words, and by which rules it was analysed.
  analysis        text COLLATE "C" NOT NULL,
  terms           bytea NOT NULL,
  term_count      integer NOT NULL,
  traits          integer NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, namespace) REFERENCES memhall.namespaces ON DELETE CASCADE
);
-- What recall reads of every row stays in the row itself; long content moves out.
ALTER TABLE memhall.memories ALTER COLUMN embedding SET STORAGE MAIN;
ALTER TABLE memhall.memories ALTER COLUMN terms SET STORAGE MAIN;

CREATE UNIQUE INDEX memories_revision ON memhall.memories (tenant_id, partition, revision);
CREATE INDEX memories_order ON memhall.memories (tenant_id, partition, seq);
CREATE INDEX memories_recent ON memhall.memories (tenant_id, partition, kind, agent_id, occurred_at, seq) WHERE agent_id IS NOT NULL;
CREATE UNIQUE INDEX memories_external_id ON memhall.memories (tenant_id, partition, kind, external_id)
  WHERE external_id IS NOT NULL;
CREATE UNIQUE INDEX memories_unique_content ON memhall.memories (tenant_id, partition, kind, content_hash)
  WHERE unique_content AND external_id IS NULL;
CREATE INDEX memories_external_content ON memhall.memories (tenant_id, partition, kind, content_hash)
  WHERE unique_content AND external_id IS NOT NULL;
CREATE INDEX memories_expiry ON memhall.memories (tenant_id, expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX memories_unembedded ON memhall.memories (tenant_id, seq) WHERE embedding IS NULL;

-- Revisions that are no longer there, so that readers can drop them. Written by triggers: no way of changing a memory,
-- cascades included, can leave a reader with what is gone.
CREATE TABLE memhall.memory_removals (
  tenant_id  text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  partition  text COLLATE "C" NOT NULL,
  revision   bigint NOT NULL DEFAULT nextval('memhall.memory_revision'),
  removed    bigint NOT NULL,
  removed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, partition, revision)
);

CREATE FUNCTION memhall.note_removed_memories() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO memhall.memory_removals (tenant_id, partition, removed)
    SELECT tenant_id, partition, revision FROM gone ORDER BY revision;
  RETURN NULL;
END
$$;
CREATE FUNCTION memhall.note_replaced_memories() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO memhall.memory_removals (tenant_id, partition, removed)
    SELECT gone.tenant_id, gone.partition, gone.revision
    FROM gone JOIN come ON come.tenant_id = gone.tenant_id AND come.id = gone.id
    WHERE come.revision <> gone.revision ORDER BY gone.revision;
  RETURN NULL;
END
$$;
CREATE TRIGGER memories_removed AFTER DELETE ON memhall.memories
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION memhall.note_removed_memories();
CREATE TRIGGER memories_replaced AFTER UPDATE ON memhall.memories
  REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION memhall.note_replaced_memories();

-- Namespaces a transaction may use, one a line. Whole names are compared, never beginnings of them.
CREATE FUNCTION memhall.may_see(p_partition text) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT p_partition = 'u:' || current_setting('app.user_id', true)
      OR p_partition = 'p:'
      OR (left(p_partition, 2) = 'n:'
          AND substr(p_partition, 3) = ANY (string_to_array(current_setting('app.namespaces', true), E'\n')))
$$;

ALTER TABLE memhall.tenants ENABLE ROW LEVEL SECURITY;
ALTER TABLE memhall.tenants FORCE ROW LEVEL SECURITY;
ALTER TABLE memhall.namespaces ENABLE ROW LEVEL SECURITY;
ALTER TABLE memhall.namespaces FORCE ROW LEVEL SECURITY;
ALTER TABLE memhall.memories ENABLE ROW LEVEL SECURITY;
ALTER TABLE memhall.memories FORCE ROW LEVEL SECURITY;
ALTER TABLE memhall.memory_removals ENABLE ROW LEVEL SECURITY;
ALTER TABLE memhall.memory_removals FORCE ROW LEVEL SECURITY;

CREATE POLICY tenants_own ON memhall.tenants TO memhall_app, memhall_worker
  USING (tenant_id = current_setting('app.tenant_id', true));
CREATE POLICY namespaces_named ON memhall.namespaces TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND memhall.may_see('n:' || name));
CREATE POLICY namespaces_tenant ON memhall.namespaces TO memhall_worker
  USING (tenant_id = current_setting('app.tenant_id', true));
CREATE POLICY memories_visible ON memhall.memories FOR SELECT TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND memhall.may_see(partition));
CREATE POLICY memories_insert ON memhall.memories FOR INSERT TO memhall_app
  WITH CHECK (tenant_id = current_setting('app.tenant_id', true) AND memhall.may_see(partition)
    AND (namespace IS NOT NULL OR user_id = current_setting('app.user_id', true)));
CREATE POLICY memories_update ON memhall.memories FOR UPDATE TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND memhall.may_see(partition)
    AND (namespace IS NOT NULL OR user_id = current_setting('app.user_id', true)));
CREATE POLICY memories_delete ON memhall.memories FOR DELETE TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND memhall.may_see(partition)
    AND (namespace IS NOT NULL OR user_id = current_setting('app.user_id', true)));
CREATE POLICY memories_tenant ON memhall.memories TO memhall_worker
  USING (tenant_id = current_setting('app.tenant_id', true));
CREATE POLICY memory_removals_visible ON memhall.memory_removals TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND memhall.may_see(partition));
CREATE POLICY memory_removals_tenant ON memhall.memory_removals TO memhall_worker
  USING (tenant_id = current_setting('app.tenant_id', true));

GRANT SELECT ON memhall.tenants TO memhall_app;
GRANT SELECT, INSERT, UPDATE ON memhall.tenants TO memhall_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON memhall.namespaces TO memhall_app, memhall_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON memhall.memories TO memhall_app, memhall_worker;
GRANT SELECT, INSERT ON memhall.memory_removals TO memhall_app;
GRANT SELECT, INSERT, DELETE ON memhall.memory_removals TO memhall_worker;
GRANT USAGE ON SEQUENCE memhall.memory_revision TO memhall_app, memhall_worker;
