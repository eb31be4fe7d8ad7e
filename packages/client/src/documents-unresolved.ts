import { eachItem } from './client-area.js';
import { type Answer, type DocumentsScope, type EachPage, type Query, splitOptions } from './documents-call.js';
import type { UnresolvedPatch, WriteAnswer } from './generated/operations.js';
import type { CallOptions } from './transport.js';

type ListOperation = 'unresolved.list' | 'unresolvedQueue.list';

/** Patches that replays could not apply, oldest first. */
export interface UnresolvedPatches<List extends ListOperation = 'unresolved.list'> {
  list(options?: CallOptions & Query<List>): Promise<Answer<List>>;
  each(options?: EachPage<List>): AsyncGenerator<UnresolvedPatch, void, undefined>;
  /** Applies a patch to the current document. Keeps the changes of others. Throws MemhallError with what prevents it. */
  apply(patchId: string, options?: CallOptions): Promise<WriteAnswer>;
  discard(patchId: string, options?: CallOptions): Promise<void>;
}

/** The patches of all users of the tenant. Needs the role admin. */
export type ReviewQueue = UnresolvedPatches<'unresolvedQueue.list'>;

export function unresolvedOf({ transport, user }: DocumentsScope): UnresolvedPatches {
  const list: UnresolvedPatches['list'] = async (given = {}) => {
    const { query, options } = splitOptions(given);
    return (await transport.call('unresolved.list', { path: user, query }, options)).answer;
  };
  return {
    list,
    each: (options = {}) =>
      eachItem(
        (page) => list({ ...options, ...page }),
        ({ patches }) => patches,
      ),
    apply: async (patch_id, options) =>
      (await transport.call('unresolved.apply', { path: { ...user, patch_id } }, options)).answer,
    async discard(patch_id, options) {
      await transport.call('unresolved.discard', { path: { ...user, patch_id } }, options);
    },
  };
}

export function reviewQueueOf({ transport, tenant }: DocumentsScope): ReviewQueue {
  const list: ReviewQueue['list'] = async (given = {}) => {
    const { query, options } = splitOptions(given);
    return (await transport.call('unresolvedQueue.list', { path: tenant, query }, options)).answer;
  };
  return {
    list,
    each: (options = {}) =>
      eachItem(
        (page) => list({ ...options, ...page }),
        ({ patches }) => patches,
      ),
    apply: async (patch_id, options) =>
      (await transport.call('unresolvedQueue.apply', { path: { ...tenant, patch_id } }, options)).answer,
    async discard(patch_id, options) {
      await transport.call('unresolvedQueue.discard', { path: { ...tenant, patch_id } }, options);
    },
  };
}
