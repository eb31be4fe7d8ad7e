-- memhall: additive
-- The right to take the next step of a task that waits for no sub-task, and lists of task contexts and of one kind of memory.

ALTER TABLE memhall.task_contexts
  ADD COLUMN lease_id         text COLLATE "C",
  ADD COLUMN lease_expires_at timestamptz,
  -- The sub-tasks whose removal gave the lease; task_sub_tasks has them too, so that their results find the task again.
  ADD COLUMN lease_sub_tasks  text[] COLLATE "C",
  ADD CONSTRAINT task_contexts_lease
    CHECK ((lease_id IS NULL) = (lease_expires_at IS NULL) AND (lease_id IS NULL) = (lease_sub_tasks IS NULL));

CREATE INDEX task_contexts_order ON memhall.task_contexts (tenant_id, user_id, updated_at, task_id);
CREATE INDEX task_contexts_plan ON memhall.task_contexts (tenant_id, user_id, plan_id, updated_at, task_id)
  WHERE plan_id IS NOT NULL;
CREATE INDEX memories_kind ON memhall.memories (tenant_id, partition, kind, seq);
