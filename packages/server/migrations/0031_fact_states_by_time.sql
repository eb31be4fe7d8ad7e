-- memhall: additive
-- The last state of a fact is found without statistics: this index fits better than any other, however few rows the planner expects.

CREATE INDEX fact_states_at ON memhall.fact_states (tenant_id, user_id, fact_id, at);
