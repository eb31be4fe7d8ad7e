-- memhall: additive
-- Operators list the unresolved patches of all users of a tenant, oldest first.

CREATE INDEX unresolved_patches_queue ON memhall.unresolved_patches (tenant_id, created_at, patch_id);
