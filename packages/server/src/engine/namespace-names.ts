import { createHash } from 'node:crypto';
import { maxNamespaceLength, type NamespaceKind, namespacePattern } from '../ports/memory-plugin.js';

const nameExpression = new RegExp(namespacePattern);
const readablePartLength = 64;

export function isNamespaceName(value: unknown): value is string {
  return typeof value === 'string' && value.length <= maxNamespaceLength && nameExpression.test(value);
}

/** Returns the workspace of a user whose token names no other. */
export function workspaceOf(userId: string): string {
  return nameOf('workspace', userId);
}

/**
 * Ids may contain an `@`, namespace names may not. For such an id the name contains its digest and is longer than any
 * id, so it cannot belong to another id.
 */
export function nameOf(kind: NamespaceKind, id: string): string {
  const name = `${kind}:${id}`;
  if (isNamespaceName(name)) return name;
  const readable = id.replaceAll('@', '.').slice(0, readablePartLength);
  return `${kind}:${readable}:${createHash('sha512').update(id).digest('hex')}`;
}
