-- memhall: additive
-- The memory gateway: keys of its users, episodes of their chats, and the files they upload.

-- Owns the one function that looks across tenants for whom a key belongs to, and may do nothing else.
DO $$
BEGIN
  BEGIN
    CREATE ROLE memhall_gatekeeper NOLOGIN NOINHERIT NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN
    NULL;
  END;
  IF NOT pg_has_role(current_user, 'memhall_gatekeeper', 'MEMBER') THEN
    EXECUTE 'GRANT memhall_gatekeeper TO CURRENT_USER';
  END IF;
END
$$;

CREATE TABLE memhall.user_keys (
  tenant_id  text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  user_id    text COLLATE "C" NOT NULL CHECK (user_id <> ''),
  -- SHA-256: the key itself is kept nowhere.
  key_hash   bytea NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, user_id)
);
-- The only index that does not begin with the tenant: the key is what tells it.
CREATE INDEX user_keys_lookup ON memhall.user_keys (key_hash);

-- A stretch of a chat that was closed. What was said is in memories, what it was about in the event.
CREATE TABLE memhall.episodes (
  tenant_id  text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  user_id    text COLLATE "C" NOT NULL CHECK (user_id <> ''),
  event_id   text COLLATE "C" NOT NULL,
  session_id text COLLATE "C" NOT NULL,
  app_id     text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  -- Order of arrival of its last message: what came later is not closed yet.
  last_seq   bigint NOT NULL,
  -- waiting: its extractor has not read it yet.
  status     text COLLATE "C" NOT NULL CHECK (status IN ('waiting', 'done', 'failed')),
  attempts   integer NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, user_id, event_id)
);
CREATE INDEX episodes_chat ON memhall.episodes (tenant_id, user_id, session_id, app_id, project_id, last_seq);
CREATE INDEX episodes_waiting ON memhall.episodes (tenant_id, updated_at) WHERE status = 'waiting';

CREATE TABLE memhall.resources (
  tenant_id    text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  user_id      text COLLATE "C" NOT NULL CHECK (user_id <> ''),
  resource_id  text COLLATE "C" NOT NULL,
  app_id       text COLLATE "C" NOT NULL,
  project_id   text COLLATE "C" NOT NULL,
  file_name    text,
  title        text,
  description  text,
  -- What it is by its content.
  media_type   text COLLATE "C" NOT NULL,
  size_bytes   bigint NOT NULL,
  -- SHA-256, hexadecimal: the same bytes are the same resource.
  content_hash text COLLATE "C" NOT NULL,
  status       text COLLATE "C" NOT NULL CHECK (status IN ('extracted', 'failed')),
  -- Why it failed.
  reason       text,
  chunks       integer NOT NULL,
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, user_id, resource_id)
);
CREATE UNIQUE INDEX resources_content ON memhall.resources (tenant_id, user_id, content_hash);
CREATE INDEX resources_newest ON memhall.resources (tenant_id, user_id, created_at, resource_id);

-- Files in pieces: none of them needs a buffer of its whole size.
CREATE TABLE memhall.resource_pieces (
  tenant_id   text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  user_id     text COLLATE "C" NOT NULL CHECK (user_id <> ''),
  resource_id text COLLATE "C" NOT NULL,
  number      integer NOT NULL,
  bytes       bytea NOT NULL,
  PRIMARY KEY (tenant_id, user_id, resource_id, number),
  FOREIGN KEY (tenant_id, user_id, resource_id) REFERENCES memhall.resources ON DELETE CASCADE
);
-- Most files are compressed already.
ALTER TABLE memhall.resource_pieces ALTER COLUMN bytes SET STORAGE EXTERNAL;

DO $$
DECLARE
  v_table text;
BEGIN
  FOREACH v_table IN ARRAY ARRAY['user_keys', 'episodes', 'resources', 'resource_pieces'] LOOP
    EXECUTE format('ALTER TABLE memhall.%I ENABLE ROW LEVEL SECURITY', v_table);
    EXECUTE format('ALTER TABLE memhall.%I FORCE ROW LEVEL SECURITY', v_table);
    EXECUTE format($policy$CREATE POLICY %I ON memhall.%I TO memhall_app
      USING (tenant_id = current_setting('app.tenant_id', true) AND user_id = current_setting('app.user_id', true))$policy$,
      v_table || '_user', v_table);
    EXECUTE format($policy$CREATE POLICY %I ON memhall.%I TO memhall_worker
      USING (tenant_id = current_setting('app.tenant_id', true))$policy$, v_table || '_tenant', v_table);
    EXECUTE format($policy$CREATE POLICY %I ON memhall.%I TO memhall_eraser
      USING (tenant_id = current_setting('app.tenant_id', true))$policy$, v_table || '_eraser', v_table);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON memhall.%I TO memhall_app', v_table);
    EXECUTE format('GRANT SELECT, DELETE ON memhall.%I TO memhall_worker, memhall_eraser', v_table);
  END LOOP;
END
$$;

CREATE POLICY user_keys_lookup ON memhall.user_keys FOR SELECT TO memhall_gatekeeper USING (true);
GRANT SELECT ON memhall.user_keys TO memhall_gatekeeper;

CREATE FUNCTION memhall.user_of_key(p_hash bytea) RETURNS TABLE (tenant_id text, user_id text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
  SELECT k.tenant_id, k.user_id FROM memhall.user_keys AS k WHERE k.key_hash = p_hash
$$;
REVOKE EXECUTE ON FUNCTION memhall.user_of_key(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION memhall.user_of_key(bytea) TO memhall_app;
GRANT USAGE, CREATE ON SCHEMA memhall TO memhall_gatekeeper;
ALTER FUNCTION memhall.user_of_key(bytea) OWNER TO memhall_gatekeeper;
REVOKE CREATE ON SCHEMA memhall FROM memhall_gatekeeper;
