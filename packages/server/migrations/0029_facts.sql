-- memhall: additive
-- Facts: statements about a subject that can stop being true. What is known of a fact is a list of states, of which none ever
-- changes. So what was known at any time can be read again, and a change can be undone.

CREATE TABLE memhall.facts (
  tenant_id     text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  user_id       text COLLATE "C" NOT NULL CHECK (user_id <> ''),
  fact_id       text COLLATE "C" NOT NULL,
  -- As given; the keys are what they are compared by.
  subject       text NOT NULL,
  subject_key   text COLLATE "C" NOT NULL,
  attribute     text NOT NULL,
  attribute_key text COLLATE "C" NOT NULL,
  value         text NOT NULL,
  value_key     text COLLATE "C" NOT NULL,
  text          text NOT NULL,
  recorded_at   timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, user_id, fact_id)
);
CREATE INDEX facts_subject ON memhall.facts (tenant_id, user_id, subject_key, attribute_key, fact_id);
CREATE INDEX facts_attribute ON memhall.facts (tenant_id, user_id, attribute_key, fact_id);

CREATE TABLE memhall.fact_states (
  tenant_id     text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  user_id       text COLLATE "C" NOT NULL CHECK (user_id <> ''),
  -- Counts the changes of a user. All states that one change led to have its number.
  seq           bigint NOT NULL,
  fact_id       text COLLATE "C" NOT NULL,
  -- Later than that of any earlier change.
  at            timestamptz NOT NULL,
  change        text COLLATE "C" NOT NULL,
  reason        text COLLATE "C" NOT NULL,
  -- What the caller gave as a reason, if anything.
  note          text,
  -- The fact that was changed. This state follows from that if it is another fact's.
  cause         text COLLATE "C" NOT NULL,
  -- The change that this one took back.
  undoes        bigint,
  standing      text COLLATE "C" NOT NULL CHECK (standing IN ('held', 'unconfirmed', 'retracted')),
  valid_from    timestamptz NOT NULL,
  -- When it ends by itself; valid_to is the same, or earlier if another fact takes its place.
  ends_at       timestamptz,
  valid_to      timestamptz,
  superseded_by text COLLATE "C",
  trust         text COLLATE "C" NOT NULL CHECK (trust IN ('user', 'operator', 'agent', 'tool', 'external')),
  confidence    double precision NOT NULL CHECK (confidence BETWEEN 0 AND 1),
  -- Whether it takes the place of other values.
  replaces      boolean NOT NULL,
  -- Whether somebody stated it directly, so that it does not depend on its evidence.
  is_stated     boolean NOT NULL,
  PRIMARY KEY (tenant_id, user_id, fact_id, seq),
  FOREIGN KEY (tenant_id, user_id, fact_id) REFERENCES memhall.facts ON DELETE CASCADE
);
CREATE INDEX fact_states_seq ON memhall.fact_states (tenant_id, user_id, seq);
CREATE INDEX fact_states_cause ON memhall.fact_states (tenant_id, user_id, cause);
CREATE INDEX fact_states_undoes ON memhall.fact_states (tenant_id, user_id, undoes) WHERE undoes IS NOT NULL;
CREATE INDEX fact_states_superseded_by ON memhall.fact_states (tenant_id, user_id, superseded_by)
  WHERE superseded_by IS NOT NULL;

CREATE TABLE memhall.fact_evidence (
  tenant_id text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  user_id   text COLLATE "C" NOT NULL CHECK (user_id <> ''),
  fact_id   text COLLATE "C" NOT NULL,
  memory_id text COLLATE "C" NOT NULL,
  at        timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, user_id, fact_id, memory_id),
  FOREIGN KEY (tenant_id, user_id, fact_id) REFERENCES memhall.facts ON DELETE CASCADE
);
CREATE INDEX fact_evidence_memory ON memhall.fact_evidence (tenant_id, user_id, memory_id);

-- What a tenant says about attributes, in addition to the built-in table and instead of it.
CREATE TABLE memhall.attributes (
  tenant_id    text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  name_key     text COLLATE "C" NOT NULL,
  name         text NOT NULL,
  single       boolean NOT NULL,
  ends_alone   boolean NOT NULL,
  synonyms     text[] NOT NULL,
  synonym_keys text[] COLLATE "C" NOT NULL,
  patterns     text[] NOT NULL,
  created_at   timestamptz NOT NULL,
  updated_at   timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, name_key)
);

DO $$
DECLARE
  v_table text;
BEGIN
  FOREACH v_table IN ARRAY ARRAY['facts', 'fact_states', 'fact_evidence'] LOOP
    EXECUTE format('ALTER TABLE memhall.%I ENABLE ROW LEVEL SECURITY', v_table);
    EXECUTE format('ALTER TABLE memhall.%I FORCE ROW LEVEL SECURITY', v_table);
    EXECUTE format($policy$CREATE POLICY %I ON memhall.%I TO memhall_app
      USING (tenant_id = current_setting('app.tenant_id', true) AND user_id = current_setting('app.user_id', true))$policy$,
      v_table || '_user', v_table);
    EXECUTE format($policy$CREATE POLICY %I ON memhall.%I TO memhall_worker
      USING (tenant_id = current_setting('app.tenant_id', true))$policy$, v_table || '_tenant', v_table);
    EXECUTE format($policy$CREATE POLICY %I ON memhall.%I TO memhall_eraser
      USING (tenant_id = current_setting('app.tenant_id', true))$policy$, v_table || '_eraser', v_table);
    EXECUTE format($policy$CREATE POLICY %I ON memhall.%I TO memhall_importer
      USING (tenant_id = current_setting('app.tenant_id', true))$policy$, v_table || '_importer', v_table);
    -- Nobody changes a state, or the words of a fact.
    EXECUTE format('GRANT SELECT, INSERT, DELETE ON memhall.%I TO memhall_app', v_table);
    EXECUTE format('GRANT SELECT ON memhall.%I TO memhall_worker', v_table);
    EXECUTE format('GRANT SELECT, DELETE ON memhall.%I TO memhall_eraser', v_table);
    EXECUTE format('GRANT SELECT, INSERT ON memhall.%I TO memhall_importer', v_table);
  END LOOP;
END
$$;

ALTER TABLE memhall.attributes ENABLE ROW LEVEL SECURITY;
ALTER TABLE memhall.attributes FORCE ROW LEVEL SECURITY;
CREATE POLICY attributes_read ON memhall.attributes FOR SELECT TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true));
CREATE POLICY attributes_tenant ON memhall.attributes TO memhall_worker
  USING (tenant_id = current_setting('app.tenant_id', true));
CREATE POLICY attributes_eraser ON memhall.attributes TO memhall_eraser
  USING (tenant_id = current_setting('app.tenant_id', true));
CREATE POLICY attributes_importer ON memhall.attributes TO memhall_importer
  USING (tenant_id = current_setting('app.tenant_id', true));
GRANT SELECT ON memhall.attributes TO memhall_app;
GRANT SELECT, INSERT, UPDATE ON memhall.attributes TO memhall_worker;
GRANT SELECT, DELETE ON memhall.attributes TO memhall_eraser;
GRANT SELECT, INSERT ON memhall.attributes TO memhall_importer;
