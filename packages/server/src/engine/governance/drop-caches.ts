import type { Engine } from '../engine.js';

/** Drops what this process caches for a user, or for the whole tenant if `userId` is null. */
export function dropCaches(engine: Engine, tenantId: string, userId: string | null): void {
  engine.segments.drop(tenantId, userId === null ? undefined : { kind: 'user', userId });
  if (userId === null) {
    engine.tenants.forget(tenantId);
    engine.cipher.forget(tenantId);
  }
  // Drops all texts: the embedder does not know which user they belong to.
  engine.embedder?.forgetTexts?.();
  engine.comparedEmbedder?.forgetTexts?.();
}
