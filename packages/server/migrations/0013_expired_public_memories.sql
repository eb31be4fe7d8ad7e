-- memhall: additive
-- A public memory that has expired is nobody's any more: whoever writes under its key removes it, and need not wait for the job.

DROP POLICY memories_delete ON memhall.memories;
CREATE POLICY memories_delete ON memhall.memories FOR DELETE TO memhall_app
  USING (tenant_id = current_setting('app.tenant_id', true) AND memhall.may_see(partition)
    AND (namespace IS NOT NULL OR user_id = current_setting('app.user_id', true) OR (is_public AND expires_at <= now())));
