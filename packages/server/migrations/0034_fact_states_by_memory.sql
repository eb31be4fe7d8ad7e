-- memhall: additive
-- The memory whose text led to a change of a fact. If it is forgotten, the change is taken back.
ALTER TABLE memhall.fact_states ADD COLUMN memory_id text COLLATE "C";
CREATE INDEX fact_states_memory ON memhall.fact_states (tenant_id, user_id, memory_id) WHERE memory_id IS NOT NULL;
