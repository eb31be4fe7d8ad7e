import type { SecretSpan } from './secret-label.js';

const segment = /[A-Za-z0-9_-]*/y;
const jwtHeader = 'eyJ';

/** Finds signed, unsecured and encrypted tokens, and truncated signed tokens. */
export function findJsonWebTokens(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  let headerEnd = -1;
  for (let at = text.indexOf(jwtHeader); at !== -1; at = text.indexOf(jwtHeader, at + 1)) {
    if (at >= headerEnd) headerEnd = endOfSegment(text, at);
    if (headerEnd - at < 10 || text.charAt(headerEnd) !== '.') continue;
    const parts: number[] = [];
    let end = headerEnd;
    while (parts.length < 4 && text.charAt(end) === '.') {
      const next = endOfSegment(text, end + 1);
      parts.push(next - end - 1);
      end = next;
    }
    if ((parts[0] ?? 0) < 16 && !(parts.length >= 2 && parts.some((length) => length >= 8))) continue;
    spans.push({ label: 'JWT', start: at, end });
    at = end;
  }
  return spans;
}

function endOfSegment(text: string, from: number): number {
  segment.lastIndex = from;
  segment.test(text);
  return segment.lastIndex;
}
