import { endOfBareValue } from './bare-value.js';
import { isMostlyWords } from './opaque-text.js';
import type { SecretSpan } from './secret-label.js';
import { startsWord } from './starts-word.js';

const bearer = /bearer[ \t]{1,16}(?=([A-Za-z0-9._~+/=-]+))/gi;
const header = /authorization["']?[ \t]{0,4}[:=][ \t]{0,4}["']?$/i;
/** How far before `Bearer` the header name can start. */
const headerLength = 32;

/**
 * Finds `Bearer …`, including the word itself. In a header any value counts; elsewhere "the bearer of bad news" must
 * stay.
 */
export function findBearerTokens(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  let done = 0;
  for (const match of text.matchAll(bearer)) {
    const [whole, value = ''] = match;
    const from = match.index + whole.length;
    if (from <= done || !startsWord(text, match.index)) continue;
    const before = text.slice(Math.max(0, match.index - headerLength), match.index);
    if (!header.test(before) && !looksLikeToken(value)) continue;
    done = endOfBareValue(text, from);
    spans.push({ label: 'BEARER_TOKEN', start: match.index, end: done });
  }
  return spans;
}

function looksLikeToken(value: string): boolean {
  const bare = value.replace(/[.=]{1,3}$/, '');
  if (bare.length < 8) return false;
  return (/[0-9]/.test(bare) || bare.length >= 16) && !isMostlyWords(bare);
}
