import type { Statements } from '../statements.js';

/*
 * Facts of the user `$2` of the tenant `$1`, looked up in other statements. All indexes begin with tenant and user, so a planner that does not
 * know how many facts a user has may read all of them. Ranges that must come out in an order fix the index: only one has it.
 */

/** The fact with an id. */
export const factOf = (id: string) => `
  SELECT * FROM memhall.facts AS x WHERE x.tenant_id = $1 AND x.user_id = $2 AND x.fact_id BETWEEN ${id} AND ${id}
  ORDER BY x.fact_id LIMIT 1`;

/** The facts of a subject and an attribute, by their keys. */
export const factsAbout = (subjectKey: string, attributeKey: string) => `
  SELECT * FROM memhall.facts AS x WHERE x.tenant_id = $1 AND x.user_id = $2
    AND (x.subject_key, x.attribute_key) BETWEEN (${subjectKey}, ${attributeKey}) AND (${subjectKey}, ${attributeKey})
  ORDER BY x.subject_key, x.attribute_key, x.fact_id OFFSET 0`;

/** The state of a fact that was the last one known at `$3`; at all if that is null. */
export const lastState = (factId: string) => `
  SELECT * FROM memhall.fact_states AS t
  WHERE t.tenant_id = $1 AND t.user_id = $2 AND t.fact_id BETWEEN ${factId} AND ${factId} AND ($3::timestamptz IS NULL OR t.at <= $3)
  ORDER BY t.fact_id DESC, t.at DESC LIMIT 1`;

/** The evidence of a fact. */
export const evidenceOf = (factId: string) => `
  SELECT * FROM memhall.fact_evidence AS x WHERE x.tenant_id = $1 AND x.user_id = $2
    AND x.fact_id BETWEEN ${factId} AND ${factId} ORDER BY x.fact_id, x.memory_id OFFSET 0`;

/** What a memory is evidence of. */
export const evidenceBy = (memoryId: string) => `
  SELECT * FROM memhall.fact_evidence AS x WHERE x.tenant_id = $1 AND x.user_id = $2
    AND x.memory_id BETWEEN ${memoryId} AND ${memoryId} ORDER BY x.memory_id, x.user_id OFFSET 0`;

/**
 * Sends a statement with these lookups. If a user has many more facts than the statistics say, reading all of them and sorting looks as
 * cheap to the planner as the range of an index. Compiling stays off for the rest of the transaction: a sort that cannot be avoided looks so
 * expensive that it would begin.
 *
 * `plan`: `kept` if the lookups alone fix the plan. It is then made once per connection; to plan such a statement takes longer than to run it.
 */
export function inOrder<T>(statements: Statements, plan: 'kept' | 'by values', send: () => T): T {
  const isKept = plan === 'kept';
  statements.set({ enable_sort: 'off', jit: 'off', ...(isKept ? { plan_cache_mode: 'force_generic_plan' } : {}) });
  const sent = send();
  statements.set({ enable_sort: 'on', ...(isKept ? { plan_cache_mode: 'auto' } : {}) });
  return sent;
}
