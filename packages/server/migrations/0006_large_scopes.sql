-- memhall: additive
-- Partitions too large to be ranked in memory: an inverted index of their words, kept by a background task, and the way
-- from a turn of a conversation to its neighbours. Small partitions have no rows here and pay nothing when written to.

-- memories of indexed_up_to and below have their words in memory_postings; later ones are looked through one by one.
CREATE TABLE memhall.large_partitions (
  tenant_id      text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  partition      text COLLATE "C" NOT NULL,
  indexed_up_to  bigint NOT NULL DEFAULT 0,
  -- Of the memories that are indexed: how many, and how many words they have together.
  memory_count   bigint NOT NULL DEFAULT 0,
  term_count     bigint NOT NULL DEFAULT 0,
  -- Set once the first filling is complete.
  is_ready       boolean NOT NULL DEFAULT false,
  -- Mean of the vectors, each held back as far as ranking holds back its text, and of how many memories it was taken.
  centroid       halfvec,
  centroid_model text COLLATE "C",
  centroid_count bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, partition)
);

CREATE TABLE memhall.memory_postings (
  tenant_id   text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  partition   text COLLATE "C" NOT NULL,
  -- Hash of the word.
  term        integer NOT NULL,
  seq         bigint NOT NULL,
  occurrences smallint NOT NULL,
  -- Words of the memory.
  term_count  integer NOT NULL,
  PRIMARY KEY (tenant_id, partition, term, seq) INCLUDE (occurrences, term_count)
);

CREATE TABLE memhall.memory_terms (
  tenant_id    text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  partition    text COLLATE "C" NOT NULL,
  term         integer NOT NULL,
  -- Memories it occurs in.
  memory_count integer NOT NULL,
  PRIMARY KEY (tenant_id, partition, term)
);

-- Neighbours in a session.
CREATE INDEX memories_session ON memhall.memories (tenant_id, partition, session_id, kind, occurred_at, seq)
  WHERE session_id IS NOT NULL;

-- Entries of `terms`: five bytes each, hash and count; see engine/memories/analysis/packed-terms.
CREATE FUNCTION memhall.unpack_terms(p_terms bytea) RETURNS TABLE (term integer, occurrences smallint)
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE ROWS 16 AS $$
  SELECT (get_byte(p_terms, at) << 24) | (get_byte(p_terms, at + 1) << 16) | (get_byte(p_terms, at + 2) << 8)
           | get_byte(p_terms, at + 3),
         get_byte(p_terms, at + 4)::smallint
  FROM generate_series(0, length(p_terms) - 5, 5) AS at
$$;

-- What is gone or replaced leaves the index in the same transaction, whichever way it went.
CREATE FUNCTION memhall.unindex_memories() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_large record;
  v_gone record;
  v_terms integer[];
BEGIN
  FOR v_large IN SELECT DISTINCT l.tenant_id, l.partition, l.indexed_up_to
                 FROM gone JOIN memhall.large_partitions AS l ON l.tenant_id = gone.tenant_id AND l.partition = gone.partition LOOP
    IF NOT EXISTS (SELECT FROM memhall.memories AS m
                   WHERE m.tenant_id = v_large.tenant_id AND m.partition = v_large.partition) THEN
      DELETE FROM memhall.memory_postings AS p WHERE p.tenant_id = v_large.tenant_id AND p.partition = v_large.partition;
      DELETE FROM memhall.memory_terms AS t WHERE t.tenant_id = v_large.tenant_id AND t.partition = v_large.partition;
      DELETE FROM memhall.large_partitions AS l WHERE l.tenant_id = v_large.tenant_id AND l.partition = v_large.partition;
      CONTINUE;
    END IF;
    FOR v_gone IN SELECT g.seq, g.terms FROM gone AS g
                  WHERE g.tenant_id = v_large.tenant_id AND g.partition = v_large.partition
                    AND g.revision <= v_large.indexed_up_to LOOP
      v_terms := ARRAY(SELECT term FROM memhall.unpack_terms(v_gone.terms));
      DELETE FROM memhall.memory_postings AS p
        WHERE p.tenant_id = v_large.tenant_id AND p.partition = v_large.partition AND p.seq = v_gone.seq AND p.term = ANY (v_terms);
      UPDATE memhall.memory_terms AS t SET memory_count = t.memory_count - 1
        WHERE t.tenant_id = v_large.tenant_id AND t.partition = v_large.partition AND t.term = ANY (v_terms);
      DELETE FROM memhall.memory_terms AS t
        WHERE t.tenant_id = v_large.tenant_id AND t.partition = v_large.partition AND t.term = ANY (v_terms)
          AND t.memory_count = 0;
    END LOOP;
    UPDATE memhall.large_partitions AS l
      SET memory_count = l.memory_count - lost.memories, term_count = l.term_count - lost.terms
      FROM (SELECT count(*) AS memories, coalesce(sum(g.term_count), 0) AS terms FROM gone AS g
            WHERE g.tenant_id = v_large.tenant_id AND g.partition = v_large.partition
              AND g.revision <= v_large.indexed_up_to) AS lost
      WHERE l.tenant_id = v_large.tenant_id AND l.partition = v_large.partition AND lost.memories > 0;
  END LOOP;
  RETURN NULL;
END
$$;
CREATE TRIGGER memories_unindexed AFTER DELETE ON memhall.memories
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION memhall.unindex_memories();
-- Every change of a memory gives it a new revision, so the old form always goes.
CREATE TRIGGER memories_reindexed AFTER UPDATE ON memhall.memories
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION memhall.unindex_memories();

-- As may_see, but asked once for a statement and not for every row: a word can have a hundred thousand postings.
CREATE FUNCTION memhall.visible_partitions() RETURNS text[] LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT ARRAY['u:' || current_setting('app.user_id', true), 'p:']
         || ARRAY(SELECT 'n:' || name FROM unnest(string_to_array(current_setting('app.namespaces', true), E'\n')) AS name)
$$;

ALTER TABLE memhall.large_partitions ENABLE ROW LEVEL SECURITY;
ALTER TABLE memhall.large_partitions FORCE ROW LEVEL SECURITY;
ALTER TABLE memhall.memory_postings ENABLE ROW LEVEL SECURITY;
ALTER TABLE memhall.memory_postings FORCE ROW LEVEL SECURITY;
ALTER TABLE memhall.memory_terms ENABLE ROW LEVEL SECURITY;
ALTER TABLE memhall.memory_terms FORCE ROW LEVEL SECURITY;

CREATE POLICY large_partitions_visible ON memhall.large_partitions TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND partition = ANY ((SELECT memhall.visible_partitions())::text[]));
CREATE POLICY memory_postings_visible ON memhall.memory_postings TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND partition = ANY ((SELECT memhall.visible_partitions())::text[]));
CREATE POLICY memory_terms_visible ON memhall.memory_terms TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND partition = ANY ((SELECT memhall.visible_partitions())::text[]));
-- Which partitions are large is no content: the background task looks across tenants for what it has to do.
CREATE POLICY large_partitions_list ON memhall.large_partitions FOR SELECT TO memhall_worker USING (true);
CREATE POLICY large_partitions_tenant ON memhall.large_partitions TO memhall_worker
  USING (tenant_id = current_setting('app.tenant_id', true));
CREATE POLICY memory_postings_tenant ON memhall.memory_postings TO memhall_worker
  USING (tenant_id = current_setting('app.tenant_id', true));
CREATE POLICY memory_terms_tenant ON memhall.memory_terms TO memhall_worker
  USING (tenant_id = current_setting('app.tenant_id', true));

GRANT SELECT, INSERT, UPDATE, DELETE ON memhall.large_partitions, memhall.memory_postings, memhall.memory_terms
  TO memhall_app, memhall_worker;

-- As before, with one statement less for a single record, which most writes have: the head is moved and its lock taken at once.
CREATE OR REPLACE FUNCTION memhall.append_audit(p_tenant_id text, p_user_id text, p_records text[]) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  v_seq bigint;
  v_hash bytea;
  v_record text;
BEGIN
  IF cardinality(p_records) = 1 THEN
    UPDATE memhall.audit_heads SET seq = seq + 1,
        hash = sha256(hash || convert_to((seq + 1)::text || E'\n' || p_records[1], 'UTF8'))
      WHERE tenant_id = p_tenant_id AND user_id = p_user_id RETURNING seq, hash INTO v_seq, v_hash;
    IF FOUND THEN
      INSERT INTO memhall.audit_records (tenant_id, user_id, seq, record, hash)
        VALUES (p_tenant_id, p_user_id, v_seq, p_records[1], v_hash);
      RETURN v_seq;
    END IF;
  END IF;
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
