-- memhall: additive
-- A token that names an agent or a crew reads only their notes of its workspace.

-- `app.note_owners` has the owners of these notes, one per line; empty for all notes.
CREATE FUNCTION memhall.may_see_note(p_partition text, p_owner text) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce(current_setting('app.note_owners', true), '') = ''
      OR p_partition <> 'u:workspace/' || current_setting('app.workspace_id', true)
      OR p_owner = ANY (string_to_array(current_setting('app.note_owners', true), E'\n'))
$$;

DROP POLICY memories_visible ON memhall.memories;
CREATE POLICY memories_visible ON memhall.memories FOR SELECT TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND memhall.may_see(partition)
    AND memhall.may_see_note(partition, agent_id));

-- The policy reads the owner of a note, so the index of sessions has it too: neighbours are found without the rows.
DROP INDEX memhall.memories_session;
CREATE INDEX memories_session ON memhall.memories (tenant_id, partition, session_id, kind, occurred_at, seq) INCLUDE (agent_id)
  WHERE session_id IS NOT NULL;
