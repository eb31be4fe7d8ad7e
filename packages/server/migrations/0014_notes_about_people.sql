-- memhall: additive
-- What others wrote about a person, in the tier `peers` under the person's id, is erased with the person.

-- The key of the tier `peers` that belongs to a user: ids may contain @ and :, keys may not.
CREATE FUNCTION memhall.peer_key(p_user_id text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT translate(p_user_id, '@:', '--') $$;

CREATE INDEX artifacts_peers ON memhall.artifacts (tenant_id, name)
  WHERE kind = 'document' AND folder = 'provider' AND name LIKE '%/peers/%';
CREATE INDEX audit_records_peers ON memhall.audit_records (tenant_id, target)
  WHERE version IS NOT NULL AND target LIKE 'documents/provider/%/peers/%';
CREATE INDEX memories_peers ON memhall.memories (tenant_id, session_id)
  WHERE kind = 'tier' AND session_id LIKE 'tier:%/peers/%';
CREATE INDEX receipts_peer ON memhall.receipts (tenant_id, memhall.peer_key(user_id), effective_at);

-- A receipt names who was erased and counts what was removed. A write of one user must see that of the person it is about.
DROP POLICY receipts_user ON memhall.receipts;
CREATE POLICY receipts_user ON memhall.receipts TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true));

-- Until the transaction ends, no erasure of the person takes effect. Fails if one has since the request arrived.
CREATE FUNCTION memhall.write_about(p_tenant_id text, p_peer text, p_arrived_ms double precision) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended(p_tenant_id || E'\n' || p_peer, 3));
  IF EXISTS (SELECT FROM memhall.receipts
             WHERE tenant_id = p_tenant_id AND memhall.peer_key(user_id) = p_peer
               AND effective_at >= to_timestamp(p_arrived_ms / 1000)) THEN
    RAISE EXCEPTION 'the person was erased while the request was under way' USING ERRCODE = 'MH001';
  END IF;
END
$$;
REVOKE EXECUTE ON FUNCTION memhall.peer_key(text), memhall.write_about(text, text, double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION memhall.peer_key(text) TO memhall_app, memhall_worker, memhall_eraser, memhall_importer;
GRANT EXECUTE ON FUNCTION memhall.write_about(text, text, double precision) TO memhall_app;
