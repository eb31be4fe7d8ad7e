import type { EventIndexSearch } from '../../ports/event-index.js';

/** Enough for any question; the service limits the number of clauses. */
const maxWords = 300;

/** Returns a literal of the filter language. A quote inside is doubled; nothing else has a meaning there. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Selects the documents of a user, or with null of the whole tenant. */
export function ownerFilter(tenantId: string, userId: string | null): string {
  const ofTenant = `tenant_id eq ${literal(tenantId)}`;
  return userId === null ? ofTenant : `${ofTenant} and user_id eq ${literal(userId)}`;
}

export function searchFilter(
  owner: { tenantId: string; userId: string },
  { serviceId, sourceType, projectId, from, to }: EventIndexSearch,
): string {
  return [
    ownerFilter(owner.tenantId, owner.userId),
    ...(serviceId === undefined ? [] : [`service_id eq ${literal(serviceId)}`]),
    ...(sourceType === undefined ? [] : [`source_type eq ${literal(sourceType)}`]),
    ...(projectId === undefined ? [] : [`project_ids/any(p: p eq ${literal(projectId)})`]),
    ...(from === undefined ? [] : [`timestamp ge ${from.toISOString()}`]),
    ...(to === undefined ? [] : [`timestamp lt ${to.toISOString()}`]),
  ].join(' and ');
}

/**
 * Returns the words of a text for the simple query syntax, in which signs such as `-` and `*` are operators. Only letters and
 * digits are left, and apostrophes inside of words. Empty if the text has no words: then nothing matches, while the service would
 * return everything.
 */
export function queryWords(text: string): string {
  const words = text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}_]*(?:['’][\p{L}\p{N}\p{M}_]+)*/gu) ?? [];
  return [...new Set(words)]
    .slice(0, maxWords)
    .map((word) => word.replaceAll("'", "\\'"))
    .join(' ');
}
