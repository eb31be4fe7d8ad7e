import { type Json, type PatchOperation, rebasePatch } from '@memhall/core';
import type { DocumentPatch, Documents, DocumentWriteOptions } from './documents-client.js';
import type { DocumentAnswer, WriteAnswer } from './generated/operations.js';
import { MemhallError } from './memhall-error.js';

export interface RebaseInput {
  namespace: string;
  path: string;
  /** The document that the operations were made for, as it was read. Null if there was no document. */
  base: DocumentAnswer | null;
  patch: DocumentPatch;
  /** How often to rebase the patch on a concurrently changed document. Default 1. */
  rebases?: number;
}

/** Others changed the same part of the document, or kept changing the document on every retry. Nothing was written. */
export class PatchConflictError extends Error {
  override readonly name = 'PatchConflictError';

  constructor(
    message: string,
    /** The current document. Null if it was deleted. */
    readonly latest: DocumentAnswer | null,
  ) {
    super(message);
  }
}

/**
 * Writes a patch that was made for a version that may be stale. Keeps concurrent changes and follows array elements to
 * their current index. All attempts use the same idempotency key, so nothing is applied twice. Throws
 * PatchConflictError if the patch cannot be rebased.
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
      if (attempt >= rebases) throw new PatchConflictError('The document keeps being changed by others.', latest);
      if (latest === null) throw new PatchConflictError('The document was deleted.', null);
      ops = rebase(base, latest, patch.ops as PatchOperation[]);
      current = latest;
    }
  }
}

function rebase(base: DocumentAnswer | null, latest: DocumentAnswer, ops: PatchOperation[]): PatchOperation[] {
  const after = latest.document as unknown as Json;
  // Without a base document, only appends still have the same meaning.
  const appends = ops.every(({ op, path }) => op === 'add' && path.endsWith('/-'));
  if (base === null && !appends)
    throw new PatchConflictError('The document was created by someone else first.', latest);
  const rebased = rebasePatch({ base: base === null ? after : (base.document as unknown as Json), latest: after, ops });
  if ('ops' in rebased) return rebased.ops;
  const { path, reason } = rebased.conflict;
  throw new PatchConflictError(`The patch conflicts with another change at ${path}: ${reason}.`, latest);
}
