/** What base64 in a text says, and where it stands. */
export interface DecodedRun {
  text: string;
  offset: number;
}

/** Shorter runs hold no sentence; shorter lines are words. */
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

/** Every run that decodes to something readable, in the order of the text. The sum of their lengths is below its own. */
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

/** The end of a run of the standard or the URL alphabet, over as many lines as it has. By hand: no stack to exhaust. */
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

/** Every other byte of the first ones is zero, as in the encoding that PowerShell takes. */
function looksLikeUtf16(bytes: Uint8Array): boolean {
  return bytes.length >= 8 && [1, 3, 5, 7].every((at) => bytes[at] === 0);
}

/** Most of what is not text decodes to broken characters and controls. */
function isReadable(text: string): boolean {
  let broken = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0xfffd || (code < 0x20 && !(code >= 0x09 && code <= 0x0d))) broken++;
  }
  return broken * 8 <= text.length;
}
