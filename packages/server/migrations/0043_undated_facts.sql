-- memhall: additive
-- "I live in Bergen" does not say since when. Facts from before count as dated, as they did.
ALTER TABLE memhall.fact_states ADD COLUMN is_undated boolean NOT NULL DEFAULT false;
ALTER TABLE memhall.fact_states ADD COLUMN asserted_at timestamptz;
