-- memhall: additive
-- Notes in a blob store are moved to their workspaces when a server starts. Once that is done, later starts need not look.
ALTER TABLE memhall.outer_store ADD COLUMN workspaces_moved boolean NOT NULL DEFAULT false;
GRANT UPDATE ON memhall.outer_store TO memhall_worker;
