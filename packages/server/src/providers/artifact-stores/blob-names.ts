import { Problem } from '@memhall/core';
import type { ArtifactOwner, StoredKey, StoredKind } from '../../ports/artifact-store.js';

const maxNameLength = 1024;
const root = 'tenants/';
const suffix = '.json';

/** Where each kind lives under its user, and what its names end with. */
const places: Record<StoredKind, { directory: string; suffix: string; hasFolder: boolean }> = {
  document: { directory: 'documents', suffix: '', hasFolder: true },
  snapshot: { directory: 'snapshots', suffix, hasFolder: true },
  event: { directory: 'events', suffix, hasFolder: false },
  quarantine: { directory: 'quarantine', suffix, hasFolder: false },
  audit: { directory: 'audit', suffix, hasFolder: false },
  registry: { directory: 'registry', suffix, hasFolder: false },
  journal: { directory: 'journal', suffix, hasFolder: false },
  resource: { directory: 'resources', suffix, hasFolder: false },
  file: { directory: 'files', suffix: '', hasFolder: false },
};

// What URLs, XML listings or file systems give a meaning of their own, and the escape sign itself.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are among them
const unsafe = /[\u0000-\u001f\u007f-\u009f\\/%?#~"<>|*\ufffe\uffff]|^[ .]+|[ .]+$/gu;

/** One part of a name. Never empty, never `.` or `..`, without slash; Unicode stays as it is, since lengths are limited. */
export function encodePart(part: string): string {
  if (part === '') return '~';
  return part.replace(unsafe, (match) => [...Buffer.from(match, 'utf8')].map(toEscape).join(''));
}

/** undefined for what `encodePart` does not give. */
export function decodePart(encoded: string): string | undefined {
  if (encoded === '~') return '';
  try {
    const decoded = decodeURIComponent(encoded.replaceAll('~', '%'));
    return encodePart(decoded) === encoded ? decoded : undefined;
  } catch {
    return undefined;
  }
}

function toEscape(byte: number): string {
  return `~${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}

export const tenantsPrefix = root;

export function usersPrefix(tenantId: string): string {
  return `${root}${encodePart(tenantId)}/users/`;
}

export function kindPrefix({ tenantId, userId }: ArtifactOwner, kind: StoredKind): string {
  return `${usersPrefix(tenantId)}${encodePart(userId)}/${places[kind].directory}/`;
}

/** Throws INVALID_REQUEST when the service could not hold the name. */
export function toBlobName(owner: ArtifactOwner, { kind, folder, name }: StoredKey): string {
  const { suffix: ending, hasFolder } = places[kind];
  const path = name.split('/').map(encodePart).join('/');
  const blobName = `${kindPrefix(owner, kind)}${hasFolder ? `${encodePart(folder)}/` : ''}${path}${ending}`;
  if (blobName.length > maxNameLength) {
    const excess = blobName.length - maxNameLength;
    throw new Problem('INVALID_REQUEST', `The name is too long for the blob store, by ${excess} characters.`);
  }
  if (!blobName.isWellFormed()) throw new Problem('INVALID_REQUEST', 'The name is not valid Unicode.');
  return blobName;
}

/** undefined for a blob that `toBlobName` would not have named so: somebody else's. */
export function fromBlobName(owner: ArtifactOwner, kind: StoredKind, blobName: string): StoredKey | undefined {
  const { suffix: ending, hasFolder } = places[kind];
  const prefix = kindPrefix(owner, kind);
  if (!blobName.startsWith(prefix) || !blobName.endsWith(ending)) return undefined;
  const parts = blobName
    .slice(prefix.length, blobName.length - ending.length)
    .split('/')
    .map(decodePart);
  if (!parts.every((part) => part !== undefined)) return undefined;
  const folder = hasFolder ? (parts.shift() ?? '') : '';
  const key = { kind, folder, name: parts.join('/') };
  return parts.length > 0 && toBlobName(owner, key) === blobName ? key : undefined;
}
