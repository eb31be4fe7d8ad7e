import type { Json } from '@memhall/core';

/** Where a memory comes from that was copied from an older store. */
interface LegacyOrigin {
  workspaceId: string;
  scope: string;
  /** A label of the older store; not a plugin namespace. */
  label: string | null;
  createdAt: Date | null;
}

/** The member of `propagation` that only the backfill and imports set. */
export const originMember = 'legacy';

/** Returns what a plugin stores as the propagation of a copied memory. */
export function toPropagation({ workspaceId, scope, label, createdAt }: LegacyOrigin): Json {
  const origin = { workspace_id: workspaceId, scope, namespace: label, created_at: createdAt?.toISOString() ?? null };
  return { [originMember]: origin };
}

/** Returns the origin of a memory, if its propagation has one. A date that cannot be read is null. */
export function originOf(propagation: Json | null | undefined): LegacyOrigin | undefined {
  const origin = memberOf(propagation, originMember);
  const [workspaceId, scope] = [memberOf(origin, 'workspace_id'), memberOf(origin, 'scope')];
  if (typeof workspaceId !== 'string' || typeof scope !== 'string') return undefined;
  const [label, date] = [memberOf(origin, 'namespace'), memberOf(origin, 'created_at')];
  const at = typeof date === 'string' ? Date.parse(date) : Number.NaN;
  return {
    ...{ workspaceId, scope, label: typeof label === 'string' ? label : null },
    createdAt: Number.isNaN(at) ? null : new Date(at),
  };
}

/**
 * Returns when a memory was first stored anywhere: for a copy, the date of the older store, which the plugin contract has
 * no field for.
 */
export function firstStored({ propagation, createdAt }: { propagation: Json | null; createdAt: Date }): Date {
  const original = originOf(propagation)?.createdAt ?? createdAt;
  return original < createdAt ? original : createdAt;
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? value[name] : undefined;
}
