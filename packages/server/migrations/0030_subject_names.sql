-- memhall: additive
-- Names that mean the same subject of facts: "Mum" is "Anna". Rows are never changed. The last one of a name says what it means, so what
-- it meant at any time can be read again.

CREATE TABLE memhall.subject_names (
  tenant_id   text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  user_id     text COLLATE "C" NOT NULL CHECK (user_id <> ''),
  -- Counted together with the changes of facts. All rows of one merge or split have its number.
  seq         bigint NOT NULL,
  name_key    text COLLATE "C" NOT NULL,
  -- As given; the key is what it is compared by.
  name        text NOT NULL,
  -- The name it was merged with; none if it is a subject of its own. Names merged with this one before go where it goes.
  parent_key  text COLLATE "C",
  -- The subject that it means: where the parents lead.
  subject_key text COLLATE "C" NOT NULL,
  subject     text NOT NULL,
  change      text COLLATE "C" NOT NULL CHECK (change IN ('merged', 'split', 'moved')),
  at          timestamptz NOT NULL,
  -- Of the one who merged or split.
  trust       text COLLATE "C" NOT NULL CHECK (trust IN ('user', 'operator', 'agent', 'tool', 'external')),
  -- The merge that a split took back.
  undoes      bigint,
  PRIMARY KEY (tenant_id, user_id, name_key, seq)
);
CREATE INDEX subject_names_seq ON memhall.subject_names (tenant_id, user_id, seq);
CREATE INDEX subject_names_subject ON memhall.subject_names (tenant_id, user_id, subject_key);

ALTER TABLE memhall.subject_names ENABLE ROW LEVEL SECURITY;
ALTER TABLE memhall.subject_names FORCE ROW LEVEL SECURITY;
CREATE POLICY subject_names_user ON memhall.subject_names TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND user_id = current_setting('app.user_id', true));
CREATE POLICY subject_names_tenant ON memhall.subject_names TO memhall_worker
  USING (tenant_id = current_setting('app.tenant_id', true));
CREATE POLICY subject_names_eraser ON memhall.subject_names TO memhall_eraser
  USING (tenant_id = current_setting('app.tenant_id', true));
CREATE POLICY subject_names_importer ON memhall.subject_names TO memhall_importer
  USING (tenant_id = current_setting('app.tenant_id', true));
GRANT SELECT, INSERT, DELETE ON memhall.subject_names TO memhall_app;
GRANT SELECT ON memhall.subject_names TO memhall_worker;
GRANT SELECT, DELETE ON memhall.subject_names TO memhall_eraser;
GRANT SELECT, INSERT ON memhall.subject_names TO memhall_importer;

-- A fact that would be held if it did not end a more trusted one.
ALTER TABLE memhall.fact_states ADD COLUMN is_disputed boolean NOT NULL DEFAULT false;
