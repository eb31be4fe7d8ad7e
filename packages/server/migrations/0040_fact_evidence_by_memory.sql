-- memhall: additive
-- Evidence of a fact is found by its primary key. With an index that begins the same way, a planner without statistics reads all evidence
-- of the user for each fact instead.

DROP INDEX memhall.fact_evidence_memory;
CREATE INDEX fact_evidence_memory ON memhall.fact_evidence (tenant_id, memory_id, user_id);
