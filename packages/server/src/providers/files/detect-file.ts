import { fileTypeFromBuffer } from 'file-type';
import { decodeText } from './decode-text.js';

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

/** Formats of text that are not supported. */
const unsupportedText: ReadonlySet<string> = new Set([
  'application/eps',
  'application/pgp-encrypted',
  'application/postscript',
  'application/rtf',
  'application/xml',
  'model/stl',
  'text/calendar',
  'text/vcard',
  'text/vtt',
]);

/** Detects the type of a file from its content; undefined if the type is not supported. */
export async function detectFile(bytes: Buffer): Promise<DetectedFile | undefined> {
  if (bytes.subarray(0, 1024).includes('%PDF-')) return { kind: 'pdf' };
  const found = (await fileTypeFromBuffer(bytes).catch(() => undefined))?.mime;
  if (found === mediaTypes.docx) return { kind: 'docx' };
  if (found === 'application/zip') return looksLikeDocx(bytes) ? { kind: 'docx' } : undefined;
  if (found === 'application/x-cfb') return isEncryptedOffice(bytes) ? { kind: 'docx' } : undefined;
  if (found !== undefined && unsupportedText.has(found)) return undefined;
  // A text may begin like a binary file: with BM, MZ or ID3, or with the mark of UTF-16.
  const text = decodeText(bytes);
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
