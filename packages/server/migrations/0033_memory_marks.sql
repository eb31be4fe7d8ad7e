-- memhall: additive
-- What facts say about the memories they are based on: from when on what a memory says is no longer true. Recall reads it with the
-- other columns that it ranks by. The marks are stored as times, so nothing has to be written when a fact ends by the clock.

ALTER TABLE memhall.memories
  -- From then on nothing is true that the memory says.
  ADD COLUMN over_from timestamptz,
  -- From then on a part of it is not true.
  ADD COLUMN partly_from timestamptz,
  -- The facts that are over, and those that contradict it. Null if there is nothing to say.
  ADD COLUMN mark jsonb;

ALTER TABLE memhall.fact_evidence
  -- How many things the memory says; null is one. If fewer facts are based on it, it says more than they do.
  ADD COLUMN statements smallint CHECK (statements > 0),
  -- Where the memory is, so that it can be marked whatever the transaction may read.
  ADD COLUMN partition text COLLATE "C";
