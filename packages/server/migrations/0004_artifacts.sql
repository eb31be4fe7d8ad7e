-- memhall: additive
-- Governed documents and events: what they are checked against, the artifacts themselves, and how they came about.

-- Schemas and profiles are a tenant's own; its users read them, operators' transactions write them.
CREATE TABLE memhall.schemas (
  tenant_id  text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  schema_id  text COLLATE "C" NOT NULL,
  version    text COLLATE "C" NOT NULL,
  schema     json NOT NULL,
  migration  json,
  hash       text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, schema_id, version)
);

CREATE TABLE memhall.profiles (
  tenant_id  text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  profile_id text COLLATE "C" NOT NULL,
  profile    json NOT NULL,
  etag       text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, profile_id)
);

-- json, not jsonb: a document keeps the order of its members.
CREATE TABLE memhall.artifacts (
  tenant_id   text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  user_id     text COLLATE "C" NOT NULL CHECK (user_id <> ''),
  kind        text COLLATE "C" NOT NULL CHECK (kind IN ('document', 'event', 'snapshot')),
  -- Namespace of a document, conversation of a snapshot, '' for events.
  folder      text COLLATE "C" NOT NULL,
  name        text COLLATE "C" NOT NULL,
  version     bigint NOT NULL CHECK (version > 0),
  etag        text COLLATE "C" NOT NULL,
  body        json NOT NULL,
  size_chars  integer NOT NULL,
  -- Tag of the same artifact in an outer store, where one is the source of truth.
  outer_tag   text COLLATE "C",
  -- When what it tells took place: what retention goes by.
  occurred_at timestamptz NOT NULL,
  created_at  timestamptz NOT NULL,
  updated_at  timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, user_id, kind, folder, name)
);
CREATE INDEX artifacts_newest ON memhall.artifacts (tenant_id, user_id, kind, occurred_at, name);
CREATE INDEX artifacts_age ON memhall.artifacts (tenant_id, kind, occurred_at);

-- Every so many versions a document is kept whole: older states are read from here and the audit records that follow.
CREATE TABLE memhall.document_checkpoints (
  tenant_id text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  user_id   text COLLATE "C" NOT NULL CHECK (user_id <> ''),
  folder    text COLLATE "C" NOT NULL,
  name      text COLLATE "C" NOT NULL,
  version   bigint NOT NULL,
  etag      text COLLATE "C" NOT NULL,
  body      json NOT NULL,
  at        timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, user_id, folder, name, version)
);

CREATE TABLE memhall.idempotency_keys (
  tenant_id    text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  user_id      text COLLATE "C" NOT NULL CHECK (user_id <> ''),
  key          text COLLATE "C" NOT NULL,
  payload_hash text COLLATE "C" NOT NULL,
  result       json NOT NULL,
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, user_id, key)
);
CREATE INDEX idempotency_keys_age ON memhall.idempotency_keys (tenant_id, created_at);

ALTER TABLE memhall.schemas ENABLE ROW LEVEL SECURITY;
ALTER TABLE memhall.schemas FORCE ROW LEVEL SECURITY;
ALTER TABLE memhall.profiles ENABLE ROW LEVEL SECURITY;
ALTER TABLE memhall.profiles FORCE ROW LEVEL SECURITY;
ALTER TABLE memhall.artifacts ENABLE ROW LEVEL SECURITY;
ALTER TABLE memhall.artifacts FORCE ROW LEVEL SECURITY;
ALTER TABLE memhall.document_checkpoints ENABLE ROW LEVEL SECURITY;
ALTER TABLE memhall.document_checkpoints FORCE ROW LEVEL SECURITY;
ALTER TABLE memhall.idempotency_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE memhall.idempotency_keys FORCE ROW LEVEL SECURITY;

CREATE POLICY schemas_tenant ON memhall.schemas TO memhall_app, memhall_worker
  USING (tenant_id = current_setting('app.tenant_id', true));
CREATE POLICY profiles_tenant ON memhall.profiles TO memhall_app, memhall_worker
  USING (tenant_id = current_setting('app.tenant_id', true));
CREATE POLICY artifacts_user ON memhall.artifacts TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND user_id = current_setting('app.user_id', true));
CREATE POLICY artifacts_tenant ON memhall.artifacts TO memhall_worker
  USING (tenant_id = current_setting('app.tenant_id', true));
CREATE POLICY document_checkpoints_user ON memhall.document_checkpoints TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND user_id = current_setting('app.user_id', true));
CREATE POLICY document_checkpoints_tenant ON memhall.document_checkpoints TO memhall_worker
  USING (tenant_id = current_setting('app.tenant_id', true));
CREATE POLICY idempotency_keys_user ON memhall.idempotency_keys TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND user_id = current_setting('app.user_id', true));
CREATE POLICY idempotency_keys_tenant ON memhall.idempotency_keys TO memhall_worker
  USING (tenant_id = current_setting('app.tenant_id', true));

GRANT SELECT ON memhall.schemas, memhall.profiles TO memhall_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON memhall.schemas, memhall.profiles TO memhall_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON memhall.artifacts, memhall.document_checkpoints, memhall.idempotency_keys
  TO memhall_app;
GRANT SELECT, DELETE ON memhall.artifacts, memhall.document_checkpoints, memhall.idempotency_keys TO memhall_worker;

-- Records of documents are numbered by the version they made; those of anything else have none.
ALTER TABLE memhall.audit_records
  ADD COLUMN version bigint GENERATED ALWAYS AS (((record::json) ->> 'document_version')::bigint) STORED;
CREATE INDEX audit_records_target ON memhall.audit_records (tenant_id, user_id, target, seq);
CREATE INDEX audit_records_version ON memhall.audit_records (tenant_id, user_id, target, version)
  WHERE version IS NOT NULL;
CREATE INDEX audit_records_time ON memhall.audit_records (tenant_id, user_id, at, seq);
