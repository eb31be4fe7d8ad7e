/** The decoded text of a base64 run and the offset of the run. */
interface DecodedRun {
  text: string;
  offset: number;
}

/** Shorter runs cannot hold a sentence; shorter lines are ordinary words. */
const shortestRun = 16;
const shortestLine = 4;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const notBase64 = 255;
const values = new Uint8Array(128).fill(notBase64);
for (let value = 0; value < alphabet.length; value++) values[alphabet.charCodeAt(value)] = value;
values[0x2d] = 62;
values[0x5f] = 63;

const utf8 = new TextDecoder();
const utf16 = new TextDecoder('utf-16le');

/** Yields every run that decodes to readable text, in text order. Their total length is less than that of the text. */
export function* decodeBase64(text: string): Generator<DecodedRun> {
  for (let start = 0; start < text.length; start++) {
    const end = endOfRun(text, start);
    if (end - start >= shortestRun) {
      const bytes = toBytes(text.slice(start, end));
      for (const decoded of [utf8.decode(bytes), ...(looksLikeUtf16(bytes) ? [utf16.decode(bytes)] : [])]) {
        if (isReadable(decoded)) yield { text: decoded, offset: start };
      }
    }
    start = end;
  }
}

/**
 * Returns the end of a run in the standard or the URL alphabet, which may span many lines. A loop instead of a regular
 * expression, whose stack could overflow.
 */
function endOfRun(text: string, start: number): number {
  let end = endOfLine(text, start);
  while (end - start >= shortestRun) {
    const next = end + (text.charCodeAt(end) === 0x0d ? 2 : 1);
    const nextEnd = text.charCodeAt(next - 1) === 0x0a ? endOfLine(text, next) : next;
    if (nextEnd - next < shortestLine) break;
    end = nextEnd;
  }
  return end;
}

function endOfLine(text: string, start: number): number {
  let end = start;
  while ((values[text.charCodeAt(end)] ?? notBase64) !== notBase64) end++;
  return end;
}

function toBytes(encoded: string): Uint8Array {
  const bytes = new Uint8Array(Math.ceil((encoded.length * 3) / 4));
  let size = 0;
  let buffer = 0;
  let bits = 0;
  for (let at = 0; at < encoded.length; at++) {
    const value = values[encoded.charCodeAt(at)] ?? notBase64;
    if (value === notBase64) continue;
    buffer = ((buffer << 6) | value) & 0xffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[size++] = (buffer >> bits) & 0xff;
    }
  }
  return bytes.subarray(0, size);
}

/** Returns whether every other byte at the start is zero, as in the encoding that PowerShell accepts. */
function looksLikeUtf16(bytes: Uint8Array): boolean {
  return bytes.length >= 8 && [1, 3, 5, 7].every((at) => bytes[at] === 0);
}

/** Data that is not text mostly decodes to replacement and control characters. */
function isReadable(text: string): boolean {
  let broken = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0xfffd || (code < 0x20 && !(code >= 0x09 && code <= 0x0d))) broken++;
  }
  return broken * 8 <= text.length;
}
