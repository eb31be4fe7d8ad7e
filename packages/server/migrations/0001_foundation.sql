-- memhall: additive
-- Roles, the audit chain and working memory.

CREATE EXTENSION IF NOT EXISTS vector;

-- Roles belong to the whole cluster: another database may have made them already, or be making them now.
DO $$
DECLARE
  role_name text;
BEGIN
  FOREACH role_name IN ARRAY ARRAY['memhall_app', 'memhall_worker'] LOOP
    BEGIN
      EXECUTE format('CREATE ROLE %I NOLOGIN NOINHERIT NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE', role_name);
    EXCEPTION WHEN duplicate_object OR unique_violation THEN
      NULL;
    END;
    IF NOT pg_has_role(current_user, role_name, 'MEMBER') THEN
      EXECUTE format('GRANT %I TO CURRENT_USER', role_name);
    END IF;
  END LOOP;
END
$$;

GRANT USAGE ON SCHEMA memhall TO memhall_app, memhall_worker;

-- memhall_app serves requests: one tenant, one user, both taken from the transaction's settings.
-- memhall_worker runs jobs and operator commands: one tenant at a time.

CREATE TABLE memhall.working_values (
  tenant_id  text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  user_id    text COLLATE "C" NOT NULL CHECK (user_id <> ''),
  plan_id    text COLLATE "C" NOT NULL,
  key        text COLLATE "C" NOT NULL,
  value      json NOT NULL,
  etag       text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  expires_at timestamptz,
  PRIMARY KEY (tenant_id, user_id, plan_id, key)
);
CREATE INDEX working_values_expiry ON memhall.working_values (tenant_id, expires_at) WHERE expires_at IS NOT NULL;

ALTER TABLE memhall.working_values ENABLE ROW LEVEL SECURITY;
ALTER TABLE memhall.working_values FORCE ROW LEVEL SECURITY;
CREATE POLICY working_values_user ON memhall.working_values TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND user_id = current_setting('app.user_id', true));
CREATE POLICY working_values_tenant ON memhall.working_values TO memhall_worker
  USING (tenant_id = current_setting('app.tenant_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON memhall.working_values TO memhall_app;
GRANT SELECT, DELETE ON memhall.working_values TO memhall_worker;

-- user_id '' is the tenant's own chain: mutations that concern no user.
CREATE TABLE memhall.audit_heads (
  tenant_id text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  user_id   text COLLATE "C" NOT NULL,
  seq       bigint NOT NULL,
  hash      bytea NOT NULL,
  PRIMARY KEY (tenant_id, user_id)
);

-- record is the canonical JSON that was hashed; what can be searched is generated from it, so that neither can be
-- altered without the other.
CREATE TABLE memhall.audit_records (
  tenant_id text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  user_id   text COLLATE "C" NOT NULL,
  seq       bigint NOT NULL CHECK (seq > 0),
  record    text NOT NULL,
  hash      bytea NOT NULL,
  target    text COLLATE "C" NOT NULL GENERATED ALWAYS AS ((record::json) ->> 'target') STORED,
  at        text COLLATE "C" NOT NULL GENERATED ALWAYS AS ((record::json) ->> 'at') STORED,
  PRIMARY KEY (tenant_id, user_id, seq),
  FOREIGN KEY (tenant_id, user_id) REFERENCES memhall.audit_heads
);

ALTER TABLE memhall.audit_heads ENABLE ROW LEVEL SECURITY;
ALTER TABLE memhall.audit_heads FORCE ROW LEVEL SECURITY;
ALTER TABLE memhall.audit_records ENABLE ROW LEVEL SECURITY;
ALTER TABLE memhall.audit_records FORCE ROW LEVEL SECURITY;
CREATE POLICY audit_heads_user ON memhall.audit_heads TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND user_id = current_setting('app.user_id', true));
CREATE POLICY audit_records_user ON memhall.audit_records TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND user_id = current_setting('app.user_id', true));
-- Heads hold no content: jobs read them across tenants to learn which tenants and users there are.
CREATE POLICY audit_heads_list ON memhall.audit_heads FOR SELECT TO memhall_worker USING (true);
CREATE POLICY audit_heads_tenant ON memhall.audit_heads TO memhall_worker
  USING (tenant_id = current_setting('app.tenant_id', true));
CREATE POLICY audit_records_tenant ON memhall.audit_records TO memhall_worker
  USING (tenant_id = current_setting('app.tenant_id', true));
-- Append only: nobody who serves requests or jobs can change or remove a record.
GRANT SELECT, INSERT, UPDATE ON memhall.audit_heads TO memhall_app, memhall_worker;
GRANT SELECT, INSERT ON memhall.audit_records TO memhall_app, memhall_worker;

-- Appends records, in order, to the chain of one user. Each hash covers the hash before it, the sequence number and the
-- record's bytes. The head row's lock makes concurrent writers take turns until commit.
CREATE FUNCTION memhall.append_audit(p_tenant_id text, p_user_id text, p_records text[]) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  v_seq bigint;
  v_hash bytea;
  v_record text;
BEGIN
  SELECT seq, hash INTO v_seq, v_hash FROM memhall.audit_heads
    WHERE tenant_id = p_tenant_id AND user_id = p_user_id FOR UPDATE;
  IF NOT FOUND THEN
    INSERT INTO memhall.audit_heads (tenant_id, user_id, seq, hash)
      VALUES (p_tenant_id, p_user_id, 0, decode(repeat('00', 32), 'hex')) ON CONFLICT DO NOTHING;
    SELECT seq, hash INTO v_seq, v_hash FROM memhall.audit_heads
      WHERE tenant_id = p_tenant_id AND user_id = p_user_id FOR UPDATE;
  END IF;
  FOREACH v_record IN ARRAY p_records LOOP
    v_seq := v_seq + 1;
    v_hash := sha256(v_hash || convert_to(v_seq::text || E'\n' || v_record, 'UTF8'));
    INSERT INTO memhall.audit_records (tenant_id, user_id, seq, record, hash)
      VALUES (p_tenant_id, p_user_id, v_seq, v_record, v_hash);
  END LOOP;
  UPDATE memhall.audit_heads SET seq = v_seq, hash = v_hash WHERE tenant_id = p_tenant_id AND user_id = p_user_id;
  RETURN v_seq;
END
$$;
REVOKE EXECUTE ON FUNCTION memhall.append_audit(text, text, text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION memhall.append_audit(text, text, text[]) TO memhall_app, memhall_worker;
