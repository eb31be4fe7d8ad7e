/** The decoded text of a run of encoded characters and the offset of the run. */
export interface DecodedRun {
  text: string;
  offset: number;
}

interface Notation {
  pattern: RegExp;
  decode: (run: string) => Uint8Array;
}

const fewest = 8;
const utf8 = new TextDecoder();
const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Bytes written as hexadecimal, decimal or binary numbers, and base 32. The patterns have no nested repetition. */
const notations: readonly Notation[] = [
  { pattern: /[0-9a-fA-F]{16,32768}/g, decode: (run) => toBytes(run.match(/../g) ?? [], 16) },
  {
    pattern: /(?<![0-9a-zA-Z])(?:0x)?[2-7][0-9a-fA-F](?:(?:[ :,-]|, )(?:0x)?[0-9a-fA-F]{2}(?![0-9a-zA-Z])){7,}/g,
    decode: (run) => toBytes(run.replaceAll('0x', '').split(/[ :,-]+/), 16),
  },
  {
    pattern: /(?<![0-9])\d{2,3}(?:(?:[ ,]|, )\d{2,3}(?![0-9])){7,}/g,
    decode: (run) => toBytes(run.split(/[ ,]+/), 10),
  },
  {
    pattern: /(?<![0-9])[01]{8}(?: ?[01]{8}){3,}/g,
    decode: (run) => toBytes(run.replaceAll(' ', '').match(/.{8}/g) ?? [], 2),
  },
  { pattern: /(?<![A-Z0-9])[A-Z2-7]{24,32768}/g, decode: fromBase32 },
];

/** Yields every run of numbers that decodes to plain words. */
export function* decodeNumbers(text: string): Generator<DecodedRun> {
  for (const { pattern, decode } of notations) {
    for (const match of text.matchAll(pattern)) {
      const decoded = utf8.decode(decode(match[0]));
      if (decoded.length >= fewest && isWords(decoded)) yield { text: decoded, offset: match.index };
    }
  }
}

function toBytes(numbers: readonly string[], radix: number): Uint8Array {
  return Uint8Array.from(numbers, (number) => Number.parseInt(number, radix));
}

function fromBase32(run: string): Uint8Array {
  const bytes = new Uint8Array(Math.floor((run.length * 5) / 8));
  let buffer = 0;
  let bits = 0;
  let size = 0;
  for (const character of run) {
    buffer = ((buffer << 5) | base32.indexOf(character)) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes[size++] = (buffer >> bits) & 0xff;
    }
  }
  return bytes;
}

/** Numbers that are not text decode to control and replacement characters. */
function isWords(text: string): boolean {
  let others = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0xfffd || (code < 0x20 && !(code >= 0x09 && code <= 0x0d)) || code === 0x7f) others++;
  }
  return others === 0;
}
