import { Problem } from '@memhall/core';
import type { ArtifactOwner, StoredKey, StoredKind } from '../../ports/artifact-store.js';

const maxNameLength = 1024;
const root = 'tenants/';
const suffix = '.json';

/** Directory of each kind under its user, and the suffix of its names. */
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

// Characters with a special meaning in URLs, XML listings or file systems, and the escape character itself.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are among them
const unsafe = /[\u0000-\u001f\u007f-\u009f\\/%?#~"<>|*\ufffe\uffff]|^[ .]+|[ .]+$/gu;

/**
 * Encodes one part of a name. The result is never empty, `.` or `..` and contains no slash. Unicode is kept unescaped,
 * because the length is limited.
 */
export function encodePart(part: string): string {
  if (part === '') return '~';
  return part.replace(unsafe, (match) => [...Buffer.from(match, 'utf8')].map(toEscape).join(''));
}

/** Returns undefined for text that `encodePart` does not produce. */
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

/** Throws INVALID_REQUEST if the service cannot store the name. */
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

/** Returns undefined for a blob whose name `toBlobName` would not produce: it is not one of ours. */
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
