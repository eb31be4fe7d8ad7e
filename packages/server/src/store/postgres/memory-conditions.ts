import type { MemoryFilter } from '../../ports/memories.js';

/** Returns the filter's conditions as SQL, each with a leading AND; adds their values to `values`. */
export function memoryConditions(filter: MemoryFilter, values: unknown[]): string {
  const { anyOf } = filter;
  const alternatives = anyOf?.map((one) => `(true${memoryConditions(one, values)})`);
  return (
    ownConditions(filter, values) +
    (alternatives === undefined ? '' : ` AND (${['false', ...alternatives].join(' OR ')})`)
  );
}

function ownConditions(filter: MemoryFilter, values: unknown[]): string {
  const conditions: [unknown, (parameter: string) => string][] = [
    // With one kind, an index gives the rows in their order.
    filter.kinds?.length === 1
      ? [filter.kinds[0], (p) => `kind = ${p}`]
      : [filter.kinds, (p) => `kind = ANY (${p}::text[])`],
    [filter.notKinds, (p) => `kind <> ALL (${p}::text[])`],
    [filter.tags, (p) => `tags && ${p}::text[]`],
    [filter.source, (p) => `source = ${p}`],
    [filter.externalId, (p) => `external_id = ${p}`],
    [filter.sessionIds, (p) => `session_id = ANY (${p}::text[])`],
    [filter.planId, (p) => `plan_id = ${p}`],
    [filter.agentId, (p) => `agent_id = ${p}`],
    [filter.agentIds, (p) => `agent_id = ANY (${p}::text[])`],
    [filter.author, (p) => `author = ${p}`],
    [filter.notAuthor, (p) => `author <> ${p}`],
    [filter.userIds, (p) => `user_id = ANY (${p}::text[])`],
    [filter.notUserIds, (p) => `user_id <> ALL (${p}::text[])`],
    [filter.role, (p) => `role = ${p}`],
    [filter.isPinned, (p) => `is_pinned = ${p}`],
    [filter.metadata && JSON.stringify(filter.metadata), (p) => `metadata @> ${p}::jsonb`],
    [filter.occurredFrom, (p) => `occurred_at >= ${p}`],
    [filter.occurredTo, (p) => `occurred_at < ${p}`],
    [filter.createdFrom, (p) => `created_at >= ${p}`],
    [filter.createdTo, (p) => `created_at < ${p}`],
  ];
  return conditions
    .filter(([value]) => value !== undefined)
    .map(([value, toSql]) => ` AND ${toSql(`$${values.push(value)}`)}`)
    .join('');
}
