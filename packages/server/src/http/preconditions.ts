import { Problem } from '@memhall/core';
import type { Precondition } from '../engine/precondition.js';

const etagList = /^\s*(?:W\/)?"[\x21\x23-\x7e]*"\s*(?:,\s*(?:W\/)?"[\x21\x23-\x7e]*"\s*)*$/;

/** Parses If-Match, or If-None-Match: * (create only). Weak ETags never match. Throws INVALID_REQUEST. */
export function toPrecondition(headers: { 'if-match'?: string; 'if-none-match'?: string }): Precondition {
  const ifMatch = headers['if-match'];
  const ifNoneMatch = headers['if-none-match'];
  if (ifMatch !== undefined && ifNoneMatch !== undefined) {
    throw new Problem('INVALID_REQUEST', 'Send either If-Match or If-None-Match, not both.');
  }
  if (ifNoneMatch !== undefined) {
    if (ifNoneMatch.trim() !== '*') throw new Problem('INVALID_REQUEST', 'If-None-Match must be * on a write.');
    return { kind: 'absent' };
  }
  if (ifMatch === undefined) return { kind: 'none' };
  if (ifMatch.trim() === '*') return { kind: 'exists' };
  return { kind: 'one-of', etags: parseEtags(ifMatch) };
}

function parseEtags(list: string): string[] {
  if (list.length > 4096 || !etagList.test(list)) {
    throw new Problem('INVALID_REQUEST', 'If-Match must be *, or one or more ETags in double quotes.');
  }
  return [...list.matchAll(/(W\/)?"([^"]*)"/g)]
    .filter((match) => match[1] === undefined)
    .map((match) => match[2] ?? '');
}

/** Returns whether If-None-Match of a read matches the ETag. Weak ETags match too; a malformed list matches nothing. */
export function matchesAny(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  if (ifNoneMatch.length > 4096 || !etagList.test(ifNoneMatch)) return false;
  return [...ifNoneMatch.matchAll(/"([^"]*)"/g)].some((match) => match[1] === etag);
}
