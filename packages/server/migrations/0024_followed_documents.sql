-- memhall: additive
-- Recall finds what documents say. Documents of which it does not know the latest state yet are found by this column: those
-- from before, imported ones, and those written by an older version of the server.
ALTER TABLE memhall.artifacts
  -- The state that everything derived from the document was made from.
  ADD COLUMN followed_etag text COLLATE "C";
CREATE INDEX artifacts_unfollowed ON memhall.artifacts (tenant_id, user_id, folder, name)
  WHERE kind = 'document' AND folder <> 'provider' AND followed_etag IS DISTINCT FROM etag;
-- A profile that denies further paths makes all its documents wait again.
GRANT UPDATE (followed_etag) ON memhall.artifacts TO memhall_worker;
