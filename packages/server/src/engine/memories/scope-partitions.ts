import type { Partition } from '../../ports/memories.js';
import { workspaceOwner } from '../../ports/owners.js';
import type { Caller } from '../caller.js';

/** Where a new memory is stored. */
export type Visibility = 'private' | 'public' | { namespace: string };

export function partitionOf(caller: Caller, visibility: Visibility): Partition {
  if (visibility === 'private') return { kind: 'user', userId: caller.userId };
  return visibility === 'public' ? { kind: 'public' } : { kind: 'namespace', name: visibility.namespace };
}

/** The searched memories: the user's own, those of the caller's workspace, the tenant's public ones, and namespaces. */
export interface MemoryScope {
  own?: boolean | undefined;
  workspace?: boolean | undefined;
  public?: boolean | undefined;
  namespaces?: readonly string[] | undefined;
}

export function partitionsOf(caller: Caller, scope: MemoryScope): Partition[] {
  return [
    ...(scope.own ? [{ kind: 'user', userId: caller.userId } as const] : []),
    ...(scope.workspace && caller.workspaceId !== undefined
      ? [{ kind: 'user', userId: workspaceOwner(caller.workspaceId) } as const]
      : []),
    ...(scope.public ? [{ kind: 'public' } as const] : []),
    ...[...new Set(scope.namespaces)].map((name) => ({ kind: 'namespace', name }) as const),
  ];
}
