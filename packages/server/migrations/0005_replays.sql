-- memhall: additive
-- Conversations: the keys their snapshots are encrypted with, what is replayed of them, and what could not be applied.

-- A tenant's data key, encrypted with the master key. Without it the tenant's snapshots cannot be read by anybody.
CREATE TABLE memhall.tenant_keys (
  tenant_id  text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  key_id     text COLLATE "C" NOT NULL,
  wrapped    bytea NOT NULL,
  -- Which master key it is encrypted with.
  wrapped_by text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, key_id)
);

CREATE TABLE memhall.replays (
  tenant_id       text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  user_id         text COLLATE "C" NOT NULL CHECK (user_id <> ''),
  replay_id       text COLLATE "C" NOT NULL,
  conversation_id text COLLATE "C" NOT NULL,
  snapshot_id     text COLLATE "C" NOT NULL,
  profile_id      text COLLATE "C" NOT NULL,
  status          text COLLATE "C" NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed')),
  attempts        integer NOT NULL,
  -- What came of it: counts and ids, no content.
  outcome         json,
  error           text COLLATE "C",
  created_at      timestamptz NOT NULL,
  updated_at      timestamptz NOT NULL,
  finished_at     timestamptz,
  PRIMARY KEY (tenant_id, user_id, replay_id)
);
CREATE INDEX replays_open ON memhall.replays (tenant_id, updated_at) WHERE status IN ('queued', 'running');

CREATE TABLE memhall.unresolved_patches (
  tenant_id       text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  user_id         text COLLATE "C" NOT NULL CHECK (user_id <> ''),
  patch_id        text COLLATE "C" NOT NULL,
  replay_id       text COLLATE "C" NOT NULL,
  profile_id      text COLLATE "C" NOT NULL,
  binding_id      text COLLATE "C" NOT NULL,
  namespace       text COLLATE "C" NOT NULL,
  path            text COLLATE "C" NOT NULL,
  -- Version of the document that the operations were made for; 0: there was none.
  base_version    bigint NOT NULL,
  ops             json NOT NULL,
  confidence      double precision NOT NULL,
  evidence        json NOT NULL,
  idempotency_key text COLLATE "C" NOT NULL,
  -- waiting: tried again by itself; review: somebody has to decide.
  status          text COLLATE "C" NOT NULL CHECK (status IN ('waiting', 'review')),
  attempts        integer NOT NULL,
  problem_code    text COLLATE "C" NOT NULL,
  problem         text NOT NULL,
  next_attempt_at timestamptz,
  created_at      timestamptz NOT NULL,
  updated_at      timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, user_id, patch_id)
);
CREATE INDEX unresolved_patches_due ON memhall.unresolved_patches (tenant_id, next_attempt_at) WHERE status = 'waiting';

ALTER TABLE memhall.tenant_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE memhall.tenant_keys FORCE ROW LEVEL SECURITY;
ALTER TABLE memhall.replays ENABLE ROW LEVEL SECURITY;
ALTER TABLE memhall.replays FORCE ROW LEVEL SECURITY;
ALTER TABLE memhall.unresolved_patches ENABLE ROW LEVEL SECURITY;
ALTER TABLE memhall.unresolved_patches FORCE ROW LEVEL SECURITY;

CREATE POLICY tenant_keys_tenant ON memhall.tenant_keys TO memhall_app, memhall_worker
  USING (tenant_id = current_setting('app.tenant_id', true));
-- Wrapped keys say nothing without the master key: whether all of them can be opened is checked across tenants.
CREATE POLICY tenant_keys_list ON memhall.tenant_keys FOR SELECT TO memhall_worker USING (true);
CREATE POLICY replays_user ON memhall.replays TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND user_id = current_setting('app.user_id', true));
CREATE POLICY replays_tenant ON memhall.replays TO memhall_worker
  USING (tenant_id = current_setting('app.tenant_id', true));
CREATE POLICY unresolved_patches_user ON memhall.unresolved_patches TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND user_id = current_setting('app.user_id', true));
CREATE POLICY unresolved_patches_tenant ON memhall.unresolved_patches TO memhall_worker
  USING (tenant_id = current_setting('app.tenant_id', true));

GRANT SELECT, INSERT ON memhall.tenant_keys TO memhall_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON memhall.tenant_keys TO memhall_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON memhall.replays, memhall.unresolved_patches TO memhall_app;
GRANT SELECT, DELETE ON memhall.replays, memhall.unresolved_patches TO memhall_worker;
