-- memhall: additive
-- Where the text of a memory comes from: through which surface, who wrote it, how far it can be believed, and when this
-- store first recorded it. Null, all four, in rows of older versions, which may keep writing; a job fills them.

ALTER TABLE memhall.memories
  ADD COLUMN surface text COLLATE "C",
  -- '' where nobody is known.
  ADD COLUMN author text COLLATE "C",
  ADD COLUMN trust text COLLATE "C",
  ADD COLUMN recorded_at timestamptz,
  ADD CONSTRAINT memories_surface CHECK (surface IN ('api', 'library', 'cli', 'memory_service', 'gateway', 'documents',
    'plugin', 'mcp', 'provider', 'files', 'import')),
  ADD CONSTRAINT memories_trust CHECK (trust IN ('user', 'operator', 'agent', 'tool', 'external')),
  ADD CONSTRAINT memories_origin CHECK (num_nulls(surface, author, trust, recorded_at) IN (0, 4));

CREATE INDEX memories_without_origin ON memhall.memories (tenant_id, seq) WHERE recorded_at IS NULL;
-- What somebody wrote into the memory of another; an erased person is no longer named there.
CREATE INDEX memories_written_for_others ON memhall.memories (tenant_id, author) WHERE author <> user_id AND author <> '';

-- Records of one target are read in one chain, and those of a shared memory in all chains of its writers.
DROP INDEX memhall.audit_records_target;
CREATE INDEX audit_records_target ON memhall.audit_records (tenant_id, target, user_id, seq);
