-- memhall: additive
-- Forgetting a person also removes the person's id from memories of others that the person wrote. Nothing else of them changes but
-- the revision, by which caches and indexes notice.
GRANT UPDATE (author, revision) ON memhall.memories TO memhall_eraser;
