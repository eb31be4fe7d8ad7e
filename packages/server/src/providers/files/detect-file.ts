import { isUtf8 } from 'node:buffer';
import { fileTypeFromBuffer } from 'file-type';

export const mediaTypes = {
  plain: 'text/plain',
  markdown: 'text/markdown',
  html: 'text/html',
  csv: 'text/csv',
  json: 'application/json',
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
} as const;
type FileKind = keyof typeof mediaTypes;

export type DetectedFile = { kind: 'pdf' | 'docx' } | { kind: Exclude<FileKind, 'pdf' | 'docx'>; text: string };

/** Enough of a text to recognize its type. */
const sampleLength = 65_536;

/** Detects the type of a file from its content; undefined if the type is not supported. */
export async function detectFile(bytes: Buffer): Promise<DetectedFile | undefined> {
  if (bytes.subarray(0, 1024).includes('%PDF-')) return { kind: 'pdf' };
  // Before the binary types: the first bytes of UTF-16 text could also be those of an audio file.
  const wide = toPlainText(decodeUtf16(bytes));
  if (wide !== undefined) return detectText(wide);
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined);
  if (found?.mime === mediaTypes.docx) return { kind: 'docx' };
  if (found?.mime === 'application/zip') return looksLikeDocx(bytes) ? { kind: 'docx' } : undefined;
  if (found?.mime === 'application/x-cfb') return isEncryptedOffice(bytes) ? { kind: 'docx' } : undefined;
  if (found !== undefined) return undefined;
  const text = toPlainText(isUtf8(bytes) ? bytes.toString('utf8') : undefined);
  return text === undefined ? undefined : detectText(text);
}

/** Recognizes a damaged document: its first parts have the names of a document's parts. */
function looksLikeDocx(bytes: Buffer): boolean {
  return bytes.includes('[Content_Types].xml') && bytes.includes('word/');
}

/** A password turns a document into a different container, whose part names are in UTF-16. */
function isEncryptedOffice(bytes: Buffer): boolean {
  return bytes.includes(Buffer.from('EncryptedPackage', 'utf16le'));
}

function toPlainText(text: string | undefined): string | undefined {
  if (text === undefined || !text.isWellFormed()) return undefined;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: content with control characters is not text
  return /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(text) ? undefined : text.replace(/^\ufeff/, '');
}

function decodeUtf16(bytes: Buffer): string | undefined {
  if (bytes.length < 2 || bytes.length % 2 === 1) return undefined;
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString('utf16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return Buffer.from(bytes).swap16().toString('utf16le');
  return undefined;
}

function detectText(text: string): DetectedFile | undefined {
  const sample = text.slice(0, sampleLength);
  const start = sample.trimStart().slice(0, 512);
  if (/^(<!doctype html|<html|<head|<body)\b/i.test(start)) return { kind: 'html', text };
  if (/^(<\?xml|<svg|<!doctype)\b/i.test(start)) return /<html\b/i.test(start) ? { kind: 'html', text } : undefined;
  if (/^[[{]/.test(start) && isJson(text)) return { kind: 'json', text };
  if (/^<(div|p|h[1-6]|table|ul|ol|section|article|main|span|a|title|meta)\b[^<]*>/i.test(start)) {
    return { kind: 'html', text };
  }
  if (looksLikeCsv(sample)) return { kind: 'csv', text };
  return { kind: /^(#{1,6} \S|```|[-*] \[[ x]\] )/m.test(sample) ? 'markdown' : 'plain', text };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** At least three rows, all with the same number of separators, outside of quotes. */
function looksLikeCsv(sample: string): boolean {
  const rows = sample.split(/\r?\n/).filter((row) => row.trim() !== '');
  const whole = sample.length === sampleLength ? rows.slice(0, -1) : rows;
  if (whole.length < 3) return false;
  return [',', ';', '\t'].some((separator) => {
    const counts = whole.slice(0, 20).map((row) => countOutsideQuotes(row, separator));
    return (counts[0] ?? 0) > 0 && counts.every((count) => count === counts[0]);
  });
}

function countOutsideQuotes(row: string, separator: string): number {
  let count = 0;
  let isQuoted = false;
  for (const character of row) {
    if (character === '"') isQuoted = !isQuoted;
    else if (character === separator && !isQuoted) count += 1;
  }
  return count;
}
