import { type LegacyMemory, maxChainLength, type WorkspaceChain } from '../../ports/legacy-memories.js';
import type { NamespaceKind } from '../../ports/memory-plugin.js';
import { isNamespaceName } from '../namespace-names.js';

export const legacyScopes = ['LOCAL', 'TEAM', 'GLOBAL'] as const;

export interface MappedNamespace {
  name: string;
  kind: NamespaceKind;
}

/** Why a row cannot be copied. The message contains nothing of its content. */
export class RowFault extends Error {
  override readonly name = 'RowFault';
}

/** Returns the namespace for a row of the old store. Throws RowFault if it cannot be determined. */
export function mapNamespace(
  { scope, workspaceId }: Pick<LegacyMemory, 'scope' | 'workspaceId'>,
  chain: WorkspaceChain,
): MappedNamespace {
  if (workspaceId === '') throw new RowFault('has no workspace');
  switch (scope) {
    case 'LOCAL':
      return toNamespace('workspace', workspaceId);
    case 'TEAM':
      return toNamespace('team', parentOrSelf(chain));
    case 'GLOBAL':
      return toNamespace('org', rootOf(chain));
    default:
      throw new RowFault(`has a scope other than ${legacyScopes.join(', ')}`);
  }
}

function toNamespace(kind: 'workspace' | 'team' | 'org', id: string): MappedNamespace {
  const name = `${kind}:${id}`;
  if (!isNamespaceName(name)) throw new RowFault('belongs to a workspace whose id cannot be part of a namespace');
  return { name, kind };
}

function parentOrSelf({ ids, parentOfLast }: WorkspaceChain): string {
  const [self, parent] = ids;
  if (self === undefined) throw new RowFault('belongs to a workspace that does not exist');
  if (parent === undefined && parentOfLast !== null)
    throw new RowFault('belongs to a workspace whose parent does not exist');
  return parent ?? self;
}

function rootOf({ ids, parentOfLast }: WorkspaceChain): string {
  const root = ids.at(-1);
  if (root === undefined) throw new RowFault('belongs to a workspace that does not exist');
  if (parentOfLast === null) return root;
  if (ids.includes(parentOfLast)) throw new RowFault('belongs to a workspace that is its own ancestor');
  if (ids.length > maxChainLength)
    throw new RowFault(`belongs to a workspace with more than ${maxChainLength} ancestors`);
  throw new RowFault('belongs to a workspace with an ancestor whose parent does not exist');
}
