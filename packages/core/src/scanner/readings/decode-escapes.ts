import { type Reading, replaceAll } from './reading.js';

const namedReferences: Record<string, string> = {
  nbsp: ' ',
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  colon: ':',
  period: '.',
  comma: ',',
  excl: '!',
  lowbar: '_',
  sol: '/',
  lpar: '(',
  rpar: ')',
  lbrack: '[',
  rbrack: ']',
  lsqb: '[',
  rsqb: ']',
  lcub: '{',
  rcub: '}',
  verbar: '|',
  vert: '|',
  num: '#',
  newline: '\n',
  tab: '\t',
  ensp: ' ',
  emsp: ' ',
  thinsp: ' ',
  shy: '',
  zwnj: '',
  zwj: '',
};

/** Character references, percent-encoding, and the escapes of programs and mails. Every branch is bounded. */
const escaped = new RegExp(
  [
    '&#[xX]?[0-9a-fA-F]{1,8};?|&[a-zA-Z]{2,8};',
    '(?:%[0-9a-fA-F]{2}){1,400}',
    String.raw`\\x[0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\u\{[0-9a-fA-F]{1,6}\}|\\[01][0-7]{2}`,
    '=[2-7][0-9A-F](?![0-9A-Za-z=])|=[2-7][0-9A-F](?=[a-zA-Z]{2})',
  ].join('|'),
  'g',
);
const utf8 = new TextDecoder();

/** Returns the text with its references and escapes decoded, or undefined if it has none. */
export function decodeEscapes(text: string): Reading | undefined {
  return replaceAll(text, escaped, toMeaning);
}

function toMeaning(piece: string): string | undefined {
  switch (piece.charAt(0)) {
    case '&':
      return fromReference(piece);
    case '%':
      return fromPercent(piece);
    case '=':
      return toCharacter(Number.parseInt(piece.slice(1), 16));
    default:
      return fromEscape(piece);
  }
}

function fromPercent(piece: string): string {
  const first = Number.parseInt(piece.slice(1, 3), 16);
  // Most are one character, for which a decoder costs more than everything else.
  if (piece.length === 3) return first < 0x80 ? String.fromCharCode(first) : '\ufffd';
  const bytes = new Uint8Array(piece.length / 3);
  for (let at = 0; at < bytes.length; at++) bytes[at] = Number.parseInt(piece.slice(3 * at + 1, 3 * at + 3), 16);
  return utf8.decode(bytes);
}

function fromReference(piece: string): string | undefined {
  const name = piece.slice(1).replace(';', '');
  if (!name.startsWith('#')) return namedReferences[name.toLowerCase()];
  return toCharacter(/^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1)));
}

function fromEscape(piece: string): string | undefined {
  const digits = piece.replace(/[^0-9a-f]/gi, '');
  return toCharacter(Number.parseInt(digits, /^\\[ux]/.test(piece) ? 16 : 8));
}

function toCharacter(code: number): string | undefined {
  return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : undefined;
}
