-- memhall: additive
-- What agents keep between events: task contexts of workers, plans of planners, sessions.

CREATE TABLE memhall.task_contexts (
  tenant_id      text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  user_id        text COLLATE "C" NOT NULL CHECK (user_id <> ''),
  task_id        text COLLATE "C" NOT NULL,
  plan_id        text COLLATE "C",
  event_type     text COLLATE "C" NOT NULL,
  response_event text COLLATE "C",
  response_topic text COLLATE "C" NOT NULL,
  data           json NOT NULL,
  -- In the order they were given; task_sub_tasks has the same ids, to look them up by.
  sub_tasks      text[] COLLATE "C" NOT NULL,
  state          json NOT NULL,
  etag           text COLLATE "C" NOT NULL,
  created_at     timestamptz NOT NULL,
  updated_at     timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, user_id, task_id)
);
CREATE INDEX task_contexts_age ON memhall.task_contexts (tenant_id, updated_at);

CREATE TABLE memhall.task_sub_tasks (
  tenant_id   text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  user_id     text COLLATE "C" NOT NULL CHECK (user_id <> ''),
  sub_task_id text COLLATE "C" NOT NULL,
  task_id     text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant_id, user_id, sub_task_id, task_id),
  FOREIGN KEY (tenant_id, user_id, task_id) REFERENCES memhall.task_contexts ON DELETE CASCADE
);
CREATE INDEX task_sub_tasks_task ON memhall.task_sub_tasks (tenant_id, user_id, task_id);

CREATE TABLE memhall.plans (
  tenant_id       text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  user_id         text COLLATE "C" NOT NULL CHECK (user_id <> ''),
  plan_id         text COLLATE "C" NOT NULL,
  goal_event      text COLLATE "C" NOT NULL,
  goal_data       json NOT NULL,
  status          text COLLATE "C" NOT NULL CHECK (status IN ('running', 'paused', 'completed', 'failed', 'cancelled')),
  state           json NOT NULL,
  current_state   text COLLATE "C",
  response_event  text COLLATE "C",
  -- In the order they were given; plan_correlations has the same ids, to look them up by.
  correlation_ids text[] COLLATE "C" NOT NULL,
  session_id      text COLLATE "C",
  parent_plan_id  text COLLATE "C",
  etag            text COLLATE "C" NOT NULL,
  created_at      timestamptz NOT NULL,
  updated_at      timestamptz NOT NULL,
  finished_at     timestamptz CHECK ((finished_at IS NULL) = (status IN ('running', 'paused'))),
  PRIMARY KEY (tenant_id, user_id, plan_id)
);
CREATE INDEX plans_order ON memhall.plans (tenant_id, user_id, created_at, plan_id);
CREATE INDEX plans_active ON memhall.plans (tenant_id, user_id, created_at, plan_id) WHERE finished_at IS NULL;
CREATE INDEX plans_status ON memhall.plans (tenant_id, user_id, status, created_at, plan_id);
CREATE INDEX plans_session ON memhall.plans (tenant_id, user_id, session_id, created_at, plan_id)
  WHERE session_id IS NOT NULL;
CREATE INDEX plans_finished ON memhall.plans (tenant_id, finished_at) WHERE finished_at IS NOT NULL;

CREATE TABLE memhall.plan_correlations (
  tenant_id      text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  user_id        text COLLATE "C" NOT NULL CHECK (user_id <> ''),
  correlation_id text COLLATE "C" NOT NULL,
  plan_id        text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant_id, user_id, correlation_id, plan_id),
  FOREIGN KEY (tenant_id, user_id, plan_id) REFERENCES memhall.plans ON DELETE CASCADE
);
CREATE INDEX plan_correlations_plan ON memhall.plan_correlations (tenant_id, user_id, plan_id);

CREATE TABLE memhall.sessions (
  tenant_id        text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  user_id          text COLLATE "C" NOT NULL CHECK (user_id <> ''),
  session_id       text COLLATE "C" NOT NULL,
  agent_id         text COLLATE "C",
  name             text,
  metadata         json NOT NULL,
  etag             text COLLATE "C" NOT NULL,
  created_at       timestamptz NOT NULL,
  last_interaction timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, user_id, session_id)
);
CREATE INDEX sessions_order ON memhall.sessions (tenant_id, user_id, last_interaction, session_id);

ALTER TABLE memhall.task_contexts ENABLE ROW LEVEL SECURITY;
ALTER TABLE memhall.task_contexts FORCE ROW LEVEL SECURITY;
ALTER TABLE memhall.task_sub_tasks ENABLE ROW LEVEL SECURITY;
ALTER TABLE memhall.task_sub_tasks FORCE ROW LEVEL SECURITY;
ALTER TABLE memhall.plans ENABLE ROW LEVEL SECURITY;
ALTER TABLE memhall.plans FORCE ROW LEVEL SECURITY;
ALTER TABLE memhall.plan_correlations ENABLE ROW LEVEL SECURITY;
ALTER TABLE memhall.plan_correlations FORCE ROW LEVEL SECURITY;
ALTER TABLE memhall.sessions ENABLE ROW LEVEL SECURITY;
ALTER TABLE memhall.sessions FORCE ROW LEVEL SECURITY;

CREATE POLICY task_contexts_user ON memhall.task_contexts TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND user_id = current_setting('app.user_id', true));
CREATE POLICY task_sub_tasks_user ON memhall.task_sub_tasks TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND user_id = current_setting('app.user_id', true));
CREATE POLICY plans_user ON memhall.plans TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND user_id = current_setting('app.user_id', true));
CREATE POLICY plan_correlations_user ON memhall.plan_correlations TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND user_id = current_setting('app.user_id', true));
CREATE POLICY sessions_user ON memhall.sessions TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND user_id = current_setting('app.user_id', true));

CREATE POLICY task_contexts_tenant ON memhall.task_contexts TO memhall_worker
  USING (tenant_id = current_setting('app.tenant_id', true));
CREATE POLICY task_sub_tasks_tenant ON memhall.task_sub_tasks TO memhall_worker
  USING (tenant_id = current_setting('app.tenant_id', true));
CREATE POLICY plans_tenant ON memhall.plans TO memhall_worker
  USING (tenant_id = current_setting('app.tenant_id', true));
CREATE POLICY plan_correlations_tenant ON memhall.plan_correlations TO memhall_worker
  USING (tenant_id = current_setting('app.tenant_id', true));
CREATE POLICY sessions_tenant ON memhall.sessions TO memhall_worker
  USING (tenant_id = current_setting('app.tenant_id', true));

GRANT SELECT, INSERT, UPDATE, DELETE ON memhall.task_contexts, memhall.task_sub_tasks, memhall.plans,
  memhall.plan_correlations, memhall.sessions TO memhall_app;
GRANT SELECT, DELETE ON memhall.task_contexts, memhall.task_sub_tasks, memhall.plans, memhall.plan_correlations,
  memhall.sessions TO memhall_worker;
