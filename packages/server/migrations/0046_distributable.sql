-- memhall: breaking
-- What a database that is distributed by tenant cannot do: triggers, subqueries in policies, EXISTS without a column, stable functions
-- of columns in an UPDATE, and locks that are taken where the data is.

-- What goes with a memory, or with an old form of one, is part of the statement that removes or changes it. An older version leaves
-- this to the triggers, so it must not write any more.
DROP TRIGGER memories_removed ON memhall.memories;
DROP TRIGGER memories_replaced ON memhall.memories;
DROP TRIGGER memories_unindexed ON memhall.memories;
DROP TRIGGER memories_reindexed ON memhall.memories;
DROP TRIGGER memories_left_page ON memhall.memories;
DROP TRIGGER memories_changed_page ON memhall.memories;
DROP FUNCTION memhall.note_removed_memories();
DROP FUNCTION memhall.note_replaced_memories();
DROP FUNCTION memhall.unindex_memories();
DROP FUNCTION memhall.drop_changed_pages();

ALTER POLICY large_partitions_visible ON memhall.large_partitions
  USING (tenant_id = current_setting('app.tenant_id', true) AND memhall.may_see(partition));
ALTER POLICY memory_postings_visible ON memhall.memory_postings
  USING (tenant_id = current_setting('app.tenant_id', true) AND memhall.may_see(partition));
ALTER POLICY memory_terms_visible ON memhall.memory_terms
  USING (tenant_id = current_setting('app.tenant_id', true) AND memhall.may_see(partition));
DROP FUNCTION memhall.visible_partitions();

-- As before; the text is converted before the UPDATE, whose functions are all immutable.
CREATE OR REPLACE FUNCTION memhall.append_audit(p_tenant_id text, p_user_id text, p_records text[]) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  v_seq bigint;
  v_hash bytea;
  v_record text;
  v_text bytea;
BEGIN
  IF cardinality(p_records) = 1 THEN
    v_text := convert_to(E'\n' || p_records[1], 'UTF8');
    UPDATE memhall.audit_heads SET seq = seq + 1, hash = sha256(hash || (seq + 1)::text::bytea || v_text)
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

CREATE OR REPLACE FUNCTION memhall.append_audit(p_tenant_id text, p_user_id text, p_records text[], p_arrived_ms double precision)
RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM memhall.receipts
             WHERE tenant_id = p_tenant_id AND user_id IN (p_user_id, '')
               AND effective_at >= to_timestamp(p_arrived_ms / 1000)) THEN
    RAISE EXCEPTION 'erased while the request was under way' USING ERRCODE = 'MH001';
  END IF;
  IF cardinality(p_records) = 0 THEN
    RETURN 0;
  END IF;
  RETURN memhall.append_audit(p_tenant_id, p_user_id, p_records);
END
$$;

-- Its caller has the lock that erasures of the person wait for. Fails if the person was erased since the request arrived.
CREATE OR REPLACE FUNCTION memhall.write_about(p_tenant_id text, p_peer text, p_arrived_ms double precision) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM memhall.receipts
             WHERE tenant_id = p_tenant_id AND memhall.peer_key(user_id) = p_peer
               AND effective_at >= to_timestamp(p_arrived_ms / 1000)) THEN
    RAISE EXCEPTION 'the person was erased while the request was under way' USING ERRCODE = 'MH001';
  END IF;
END
$$;
