import { type Json, type PatchOperation, rebasePatch } from '@memhall/core';
import type { DocumentPatch, Documents, DocumentWriteOptions } from './documents-client.js';
import type { DocumentAnswer, WriteAnswer } from './generated/operations.js';
import { MemhallError } from './memhall-error.js';

export interface RebaseInput {
  namespace: string;
  path: string;
  /** What the ops were made against, as it was read; null: there was no document. */
  base: DocumentAnswer | null;
  patch: DocumentPatch;
  /** How often to try on what others made of the document meanwhile. Default 1. */
  rebases?: number;
}

/** The document was changed where the patch would change it too, or over and over again. Nothing was written. */
export class PatchConflictError extends Error {
  override readonly name = 'PatchConflictError';

  constructor(
    message: string,
    /** The document as it is; null: it is gone. */
    readonly latest: DocumentAnswer | null,
  ) {
    super(message);
  }
}

/**
 * Writes a patch that was made against a version which may be outdated by now. What others changed meanwhile stays, elements
 * of arrays are followed to where they are now, and one idempotency key covers all tries, so nothing is applied twice.
 * Throws PatchConflictError where that cannot be done.
 *
 * @example
 * const base = await memory.documents.get('user', 'user_dynamic.json');
 * const ops = [{ op: 'add', path: '/content/preferences/-', value: 'Short answers.' }];
 * const patch = { profile_id: 'project-copilot-v1', binding_id: 'user_dynamic', reason: 'live_update', ops };
 * await patchWithRebase(memory.documents, { namespace: 'user', path: 'user_dynamic.json', base, patch });
 */
export async function patchWithRebase(
  documents: Documents,
  { namespace, path, base, patch, rebases = 1 }: RebaseInput,
  options: Omit<DocumentWriteOptions, 'ifMatch' | 'create'> = {},
): Promise<WriteAnswer> {
  const idempotencyKey = options.idempotencyKey ?? crypto.randomUUID();
  let current = base;
  let ops = patch.ops as PatchOperation[];
  for (let attempt = 0; ; attempt++) {
    const expected = current === null ? { create: true } : { ifMatch: current.etag };
    try {
      return await documents.patch(namespace, path, { ...patch, ops }, { ...options, ...expected, idempotencyKey });
    } catch (error) {
      if (!(error instanceof MemhallError && error.code === 'ETAG_MISMATCH')) throw error;
      const latest = await documents.get(
        namespace,
        path,
        options.signal === undefined ? {} : { signal: options.signal },
      );
      if (attempt >= rebases) throw new PatchConflictError('Others keep changing the document.', latest);
      if (latest === null) throw new PatchConflictError('The document is gone.', null);
      ops = rebase(base, latest, patch.ops as PatchOperation[]);
      current = latest;
    }
  }
}

function rebase(base: DocumentAnswer | null, latest: DocumentAnswer, ops: PatchOperation[]): PatchOperation[] {
  const after = latest.document as unknown as Json;
  // Without a document to start from, only what is added at the end can be meant the same way now.
  const appends = ops.every(({ op, path }) => op === 'add' && path.endsWith('/-'));
  if (base === null && !appends) throw new PatchConflictError('Somebody else made the document first.', latest);
  const rebased = rebasePatch({ base: base === null ? after : (base.document as unknown as Json), latest: after, ops });
  if ('ops' in rebased) return rebased.ops;
  const { path, reason } = rebased.conflict;
  throw new PatchConflictError(`Somebody else changed ${path}: ${reason}.`, latest);
}
