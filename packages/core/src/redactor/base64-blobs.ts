import { PublicBase64 } from './harmless-text.js';
import { isOpaquePiece } from './opaque-text.js';
import type { SecretSpan } from './secret-label.js';

/** Matches both Base64 alphabets and padding. */
const run = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{33,}={0,2}/g;
const standardRun = /[A-Za-z0-9+/]{33,}/g;
const unbrokenRun = /[A-Za-z0-9]{33,}/g;
const piece = /[A-Za-z0-9]+/g;

/** Finds long runs of Base64 that are neither words joined by slashes, dashes or capitals, nor digests, nor public. */
export function findBase64Blobs(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  const known = new PublicBase64(text);
  for (const { 0: candidate, index } of text.matchAll(run)) {
    if (isBlob(candidate) && !known.includes(candidate, index))
      spans.push({ label: 'BASE64_BLOB', start: index, end: index + candidate.length });
  }
  return spans;
}

/** Returns whether the candidate is mostly opaque: as a whole, in the standard alphabet, or between two separators. */
function isBlob(candidate: string): boolean {
  if (!isMixed(candidate)) return false;
  const parts = [candidate, ...(candidate.match(standardRun) ?? []), ...(candidate.match(unbrokenRun) ?? [])];
  return parts.some((part) => isMixed(part) && isMostlyOpaque(part));
}

function isMixed(text: string): boolean {
  return /[A-Z]/.test(text) && /[a-z]/.test(text) && /[0-9]/.test(text);
}

function isMostlyOpaque(part: string): boolean {
  let opaque = 0;
  let total = 0;
  for (const [content] of part.matchAll(piece)) {
    total += content.length;
    if (isOpaquePiece(content)) opaque += content.length;
  }
  return opaque * 2 >= total;
}
