-- memhall: additive
-- Endpoints that learn what changed in a tenant, and what they were sent: ids only, no content.

CREATE SEQUENCE memhall.webhook_position;
GRANT USAGE ON SEQUENCE memhall.webhook_position TO memhall_app, memhall_worker, memhall_eraser;

CREATE TABLE memhall.webhooks (
  tenant_id  text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  name       text COLLATE "C" NOT NULL,
  -- Of this webhook only, also if another one has its name later.
  webhook_id text COLLATE "C" NOT NULL,
  url        text NOT NULL,
  -- Operations such as memory.remember, families such as memory.*, or *.
  events     text[] COLLATE "C" NOT NULL,
  -- Encrypted with the key of the tenant.
  secret     text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, name)
);

CREATE TABLE memhall.webhook_deliveries (
  tenant_id       text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  webhook_id      text COLLATE "C" NOT NULL,
  delivery_id     text COLLATE "C" NOT NULL,
  status          text COLLATE "C" NOT NULL CHECK (status IN ('waiting', 'delivered', 'failed')),
  attempts        integer NOT NULL,
  created_at      timestamptz NOT NULL,
  -- While it is being sent, when another process may send it if this one died.
  next_attempt_at timestamptz,
  ended_at        timestamptz,
  response_status integer,
  -- What went wrong at the last attempt.
  fault           text,
  duration_ms     integer,
  PRIMARY KEY (tenant_id, webhook_id, delivery_id)
);
CREATE INDEX webhook_deliveries_due ON memhall.webhook_deliveries (next_attempt_at, tenant_id, webhook_id)
  WHERE status = 'waiting';

-- Changes that a webhook is to learn of, in the order in which it learns of them.
CREATE TABLE memhall.webhook_events (
  tenant_id   text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  webhook_id  text COLLATE "C" NOT NULL,
  position    bigint NOT NULL DEFAULT nextval('memhall.webhook_position'),
  -- As in changes.
  user_id     text COLLATE "C" NOT NULL,
  partition   text COLLATE "C" NOT NULL,
  operation   text COLLATE "C" NOT NULL,
  kind        text COLLATE "C" NOT NULL,
  id          text COLLATE "C" NOT NULL,
  at          timestamptz NOT NULL,
  -- The delivery it is part of; null if there is none yet.
  delivery_id text COLLATE "C",
  PRIMARY KEY (tenant_id, webhook_id, position)
);
CREATE INDEX webhook_events_waiting ON memhall.webhook_events (tenant_id, webhook_id, position) WHERE delivery_id IS NULL;
CREATE INDEX webhook_events_delivery ON memhall.webhook_events (tenant_id, webhook_id, delivery_id, position);
CREATE INDEX webhook_events_user ON memhall.webhook_events (tenant_id, user_id);

DO $$
DECLARE
  v_table text;
BEGIN
  FOREACH v_table IN ARRAY ARRAY['webhooks', 'webhook_deliveries', 'webhook_events'] LOOP
    EXECUTE format('ALTER TABLE memhall.%I ENABLE ROW LEVEL SECURITY', v_table);
    EXECUTE format('ALTER TABLE memhall.%I FORCE ROW LEVEL SECURITY', v_table);
    EXECUTE format($policy$CREATE POLICY %I ON memhall.%I TO memhall_worker
      USING (tenant_id = current_setting('app.tenant_id', true))$policy$, v_table || '_tenant', v_table);
    EXECUTE format($policy$CREATE POLICY %I ON memhall.%I TO memhall_eraser
      USING (tenant_id = current_setting('app.tenant_id', true))$policy$, v_table || '_eraser', v_table);
    -- Who delivers asks which tenants have something to deliver.
    EXECUTE format('CREATE POLICY %I ON memhall.%I FOR SELECT TO memhall_worker USING (true)', v_table || '_list', v_table);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON memhall.%I TO memhall_worker', v_table);
    EXECUTE format('GRANT SELECT, INSERT, DELETE ON memhall.%I TO memhall_eraser', v_table);
  END LOOP;
END
$$;
-- Whoever changes something finds the webhooks that are to learn of it, and nothing more.
CREATE POLICY webhooks_match ON memhall.webhooks FOR SELECT TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true));
GRANT SELECT (tenant_id, webhook_id, events) ON memhall.webhooks TO memhall_app;
CREATE POLICY webhook_events_insert ON memhall.webhook_events FOR INSERT TO memhall_app
  WITH CHECK (tenant_id = current_setting('app.tenant_id', true) AND memhall.may_write(partition));
GRANT INSERT ON memhall.webhook_events TO memhall_app;
