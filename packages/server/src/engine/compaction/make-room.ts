import { Problem } from '@memhall/core';
import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Excess } from '../documents/document-limits.js';
import { findDocument } from '../documents/find-document.js';
import type { GovernedDocument } from '../documents/governed-document.js';
import { findBinding } from '../documents/profile.js';
import type { Engine } from '../engine.js';
import { compactDocument } from './compact-document.js';

interface FullDocument extends DocumentPlace {
  profileId: string;
  bindingId: string;
  /** The version that a write did not fit into. */
  etag: string;
}

interface MadeRoom {
  before: GovernedDocument;
  after: GovernedDocument;
}

/**
 * Compacts a document so that a write that would exceed a limit fits. Returns undefined if nothing can be removed, or if
 * the compacted document would violate its rules. Throws ETAG_MISMATCH if the document has changed.
 */
export async function makeRoom(
  engine: Engine,
  caller: Caller,
  full: FullDocument,
  excess: Excess,
): Promise<MadeRoom | undefined> {
  const { profile, binding, document } = await engine.store.read(scopeOf(caller), async (tables) => {
    const [profile, stored] = await Promise.all([
      engine.registry.profile(tables, full.profileId),
      tables.artifacts.get({ kind: 'document', folder: full.namespace, name: full.path }),
    ]);
    const binding = findBinding(profile, full.bindingId);
    return { profile, binding, document: (await findDocument(tables, binding, full, stored)).document };
  });
  if (document?.etag !== full.etag) throw new Problem('ETAG_MISMATCH', 'The document was changed in the meantime.');
  try {
    const compacted = await compactDocument(engine, caller, { profile, binding, document }, excess);
    return compacted && { before: document, after: compacted.document };
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500 || error.code === 'ETAG_MISMATCH') throw error;
    return undefined;
  }
}
