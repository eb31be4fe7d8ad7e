import { isUtf8 } from 'node:buffer';
import { decodeWindows1252 } from './windows-1252.js';

/**
 * Returns the text of a file, without a byte order mark. It may be in UTF-8, in UTF-16 with a byte order mark, or in
 * Windows-1252, which includes the printable characters of Latin-1. Returns undefined if it is something else.
 */
export function decodeText(bytes: Buffer): string | undefined {
  if (startsWith(bytes, 0xff, 0xfe)) return toPlainText(decodeUtf16(bytes));
  if (startsWith(bytes, 0xfe, 0xff)) return toPlainText(decodeUtf16(Buffer.from(bytes), true));
  return toPlainText(isUtf8(bytes) ? bytes.toString('utf8') : decodeWindows1252(bytes));
}

function startsWith(bytes: Buffer, first: number, second: number): boolean {
  return bytes[0] === first && bytes[1] === second;
}

function decodeUtf16(bytes: Buffer, isBigEndian = false): string | undefined {
  if (bytes.length % 2 === 1) return undefined;
  return (isBigEndian ? bytes.swap16() : bytes).toString('utf16le');
}

function toPlainText(text: string | undefined): string | undefined {
  if (text === undefined || !text.isWellFormed()) return undefined;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: content with control characters is not text
  return /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(text) ? undefined : text.replace(/^\ufeff/, '');
}
