import type { Engine } from '../engine.js';

/** Drops what this process keeps in memory of a user, or with null of a tenant. */
export function dropCaches(engine: Engine, tenantId: string, userId: string | null): void {
  engine.segments.drop(tenantId, userId === null ? undefined : { kind: 'user', userId });
  if (userId === null) {
    engine.languages.forget(tenantId);
    engine.cipher.forget(tenantId);
  }
  // Whose texts its vectors are of is not known.
  engine.embedder?.forgetTexts?.();
}
