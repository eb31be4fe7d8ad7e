-- memhall: breaking
-- A workspace owns its notes under `workspace/<id>`, so it is not the user of the same name. What a transaction may read
-- and what it may write are two lists.

-- The caller's workspace is read with `app.workspace_id`; it is written only in transactions of its own, as `app.user_id`.
CREATE OR REPLACE FUNCTION memhall.may_see(p_partition text) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT p_partition = 'u:' || current_setting('app.user_id', true)
      OR p_partition = 'p:'
      OR p_partition = 'u:workspace/' || current_setting('app.workspace_id', true)
      OR (left(p_partition, 2) = 'n:'
          AND substr(p_partition, 3) = ANY (string_to_array(current_setting('app.namespaces', true), E'\n')))
$$;
CREATE OR REPLACE FUNCTION memhall.visible_partitions() RETURNS text[] LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT ARRAY['u:' || current_setting('app.user_id', true), 'p:',
               'u:workspace/' || current_setting('app.workspace_id', true)]
         || ARRAY(SELECT 'n:' || name FROM unnest(string_to_array(current_setting('app.namespaces', true), E'\n')) AS name)
$$;
CREATE FUNCTION memhall.may_write(p_partition text) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT p_partition = 'u:' || current_setting('app.user_id', true)
      OR p_partition = 'p:'
      OR (left(p_partition, 2) = 'n:'
          AND substr(p_partition, 3) = ANY (string_to_array(current_setting('app.writable_namespaces', true), E'\n')))
$$;

DROP POLICY memories_insert ON memhall.memories;
DROP POLICY memories_update ON memhall.memories;
DROP POLICY memories_delete ON memhall.memories;
CREATE POLICY memories_insert ON memhall.memories FOR INSERT TO memhall_app
  WITH CHECK (tenant_id = current_setting('app.tenant_id', true) AND memhall.may_write(partition)
    AND (namespace IS NOT NULL OR user_id = current_setting('app.user_id', true)));
CREATE POLICY memories_update ON memhall.memories FOR UPDATE TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND memhall.may_write(partition)
    AND (namespace IS NOT NULL OR user_id = current_setting('app.user_id', true)));
CREATE POLICY memories_delete ON memhall.memories FOR DELETE TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND memhall.may_write(partition)
    AND (namespace IS NOT NULL OR user_id = current_setting('app.user_id', true) OR (is_public AND expires_at <= now())));

DROP POLICY memory_removals_visible ON memhall.memory_removals;
CREATE POLICY memory_removals_visible ON memhall.memory_removals FOR SELECT TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND memhall.may_see(partition));
CREATE POLICY memory_removals_insert ON memhall.memory_removals FOR INSERT TO memhall_app
  WITH CHECK (tenant_id = current_setting('app.tenant_id', true) AND memhall.may_write(partition));

DROP POLICY namespaces_named ON memhall.namespaces;
CREATE POLICY namespaces_visible ON memhall.namespaces FOR SELECT TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND memhall.may_see('n:' || name));
CREATE POLICY namespaces_insert ON memhall.namespaces FOR INSERT TO memhall_app
  WITH CHECK (tenant_id = current_setting('app.tenant_id', true) AND memhall.may_write('n:' || name));
CREATE POLICY namespaces_update ON memhall.namespaces FOR UPDATE TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND memhall.may_write('n:' || name));
CREATE POLICY namespaces_delete ON memhall.namespaces FOR DELETE TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND memhall.may_write('n:' || name));

DROP POLICY large_partitions_visible ON memhall.large_partitions;
CREATE POLICY large_partitions_visible ON memhall.large_partitions FOR SELECT TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND partition = ANY ((SELECT memhall.visible_partitions())::text[]));
CREATE POLICY large_partitions_insert ON memhall.large_partitions FOR INSERT TO memhall_app
  WITH CHECK (tenant_id = current_setting('app.tenant_id', true) AND memhall.may_write(partition));
CREATE POLICY large_partitions_update ON memhall.large_partitions FOR UPDATE TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND memhall.may_write(partition));
CREATE POLICY large_partitions_delete ON memhall.large_partitions FOR DELETE TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND memhall.may_write(partition));

DROP POLICY memory_postings_visible ON memhall.memory_postings;
CREATE POLICY memory_postings_visible ON memhall.memory_postings FOR SELECT TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND partition = ANY ((SELECT memhall.visible_partitions())::text[]));
CREATE POLICY memory_postings_insert ON memhall.memory_postings FOR INSERT TO memhall_app
  WITH CHECK (tenant_id = current_setting('app.tenant_id', true) AND memhall.may_write(partition));
CREATE POLICY memory_postings_update ON memhall.memory_postings FOR UPDATE TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND memhall.may_write(partition));
CREATE POLICY memory_postings_delete ON memhall.memory_postings FOR DELETE TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND memhall.may_write(partition));

DROP POLICY memory_terms_visible ON memhall.memory_terms;
CREATE POLICY memory_terms_visible ON memhall.memory_terms FOR SELECT TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND partition = ANY ((SELECT memhall.visible_partitions())::text[]));
CREATE POLICY memory_terms_insert ON memhall.memory_terms FOR INSERT TO memhall_app
  WITH CHECK (tenant_id = current_setting('app.tenant_id', true) AND memhall.may_write(partition));
CREATE POLICY memory_terms_update ON memhall.memory_terms FOR UPDATE TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND memhall.may_write(partition));
CREATE POLICY memory_terms_delete ON memhall.memory_terms FOR DELETE TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND memhall.may_write(partition));

-- Texts of tiers go to their workspaces. Their records stay in the audit chain of the user with the workspace's name:
-- a chain cannot be taken apart. So each document begins with the state it has now. If documents live in a blob store,
-- they are moved there when the server starts.
ALTER TABLE memhall.artifacts NO FORCE ROW LEVEL SECURITY;
ALTER TABLE memhall.document_checkpoints NO FORCE ROW LEVEL SECURITY;
ALTER TABLE memhall.quarantine NO FORCE ROW LEVEL SECURITY;
ALTER TABLE memhall.memories NO FORCE ROW LEVEL SECURITY;
ALTER TABLE memhall.memory_removals NO FORCE ROW LEVEL SECURITY;
ALTER TABLE memhall.large_partitions NO FORCE ROW LEVEL SECURITY;
ALTER TABLE memhall.memory_postings NO FORCE ROW LEVEL SECURITY;
ALTER TABLE memhall.memory_terms NO FORCE ROW LEVEL SECURITY;
ALTER TABLE memhall.outer_store NO FORCE ROW LEVEL SECURITY;
DO $$
BEGIN
  IF EXISTS (SELECT FROM memhall.outer_store) THEN RETURN; END IF;
  DELETE FROM memhall.document_checkpoints WHERE folder = 'provider';
  INSERT INTO memhall.document_checkpoints (tenant_id, user_id, folder, name, version, etag, body, at, is_beginning)
    SELECT tenant_id, 'workspace/' || user_id, folder, name, version, etag, body, updated_at, true
    FROM memhall.artifacts WHERE kind = 'document' AND folder = 'provider';
  UPDATE memhall.artifacts SET user_id = 'workspace/' || user_id WHERE kind = 'document' AND folder = 'provider';
  UPDATE memhall.quarantine SET user_id = 'workspace/' || user_id WHERE folder = 'provider';
  UPDATE memhall.memories SET user_id = 'workspace/' || user_id, revision = nextval('memhall.memory_revision')
    WHERE kind = 'tier' AND namespace IS NULL AND NOT is_public;
END
$$;
ALTER TABLE memhall.artifacts FORCE ROW LEVEL SECURITY;
ALTER TABLE memhall.document_checkpoints FORCE ROW LEVEL SECURITY;
ALTER TABLE memhall.quarantine FORCE ROW LEVEL SECURITY;
ALTER TABLE memhall.memories FORCE ROW LEVEL SECURITY;
ALTER TABLE memhall.memory_removals FORCE ROW LEVEL SECURITY;
ALTER TABLE memhall.large_partitions FORCE ROW LEVEL SECURITY;
ALTER TABLE memhall.memory_postings FORCE ROW LEVEL SECURITY;
ALTER TABLE memhall.memory_terms FORCE ROW LEVEL SECURITY;
ALTER TABLE memhall.outer_store FORCE ROW LEVEL SECURITY;
