import type { Engine } from '../engine/engine.js';
import type { ArtifactOwner, ArtifactStore } from '../ports/artifact-store.js';
import type { Scope, Store } from '../ports/store.js';
import type { AuditCopies } from './audit-copies.js';
import type { KnownJournals } from './known-journals.js';
import type { OuterFiles } from './outer-files.js';

/** What every step between the database and the outer store works with. */
export interface Outer {
  /** The source of truth. */
  blobs: ArtifactStore;
  /** The database itself. Steps that bring it up to date write here: going through the outer store again would never end. */
  database: Store;
  /** For the rules by which rows are derived. Its store is the outer store. */
  engine: Engine;
  journals: KnownJournals;
  copies: AuditCopies;
  files: OuterFiles;
}

/** Returns whose part of the outer store a transaction changes. */
export function ownerOf({ tenantId, userId }: Pick<Scope, 'tenantId' | 'userId'>): ArtifactOwner {
  return { tenantId, userId: userId ?? '' };
}

/** Identifies an owner in a map. */
export function idOf({ tenantId, userId }: ArtifactOwner): string {
  return `${tenantId}\n${userId}`;
}
