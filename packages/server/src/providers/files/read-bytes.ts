import { describeFault } from '@memhall/core';
import type { ReadFailure, ReadFile, TextLayout } from '../../ports/file-reader.js';
import { checkZip } from './check-zip.js';
import { type DetectedFile, detectFile, mediaTypes } from './detect-file.js';

const zipLimits = { entries: 5000, totalBytes: 128 * 1024 * 1024 };

/** Returns the file as too large if it has more characters of text than allowed. */
export function boundText(file: ReadFile, textLength: number): ReadFile {
  const isTooLong = 'text' in file && file.text.length > textLength;
  return isTooLong ? { mediaType: file.mediaType, failure: 'too_large' } : file;
}

/**
 * Reports the type of a file as soon as it is known, then returns its content. May run in its own thread, which may be
 * terminated; parsers are therefore loaded only when needed.
 */
export async function readBytes(bytes: Buffer, onDetected: (mediaType: string) => void): Promise<ReadFile> {
  const detected = await detectFile(bytes);
  if (detected === undefined) return { mediaType: null };
  const mediaType = mediaTypes[detected.kind];
  onDetected(mediaType);
  const read = await readText(bytes, detected).catch((error: unknown) => toFailure(error));
  if (typeof read !== 'string' && 'failure' in read) return { mediaType, ...read };
  const storable = read.toWellFormed().replaceAll('\u0000', '');
  if (describeFault(storable) !== undefined) return { mediaType, failure: 'unreadable' };
  const text = storable.normalize('NFC');
  if (!/\S/u.test(text)) return { mediaType, failure: 'no_text' };
  return { mediaType, text, layout: layoutOf(detected) };
}

type Failed = { failure: ReadFailure };

async function readText(bytes: Buffer, detected: DetectedFile): Promise<string | Failed> {
  switch (detected.kind) {
    case 'pdf':
      return readPdf(bytes);
    case 'docx':
      return readDocx(bytes);
    case 'html':
      return readHtml(detected.text);
    case 'json':
      return indentJson(detected.text);
    default:
      return detected.text;
  }
}

async function readHtml(html: string): Promise<string> {
  const { htmlText } = await import('./html-text.js');
  return htmlText(html);
}

async function readPdf(bytes: Buffer): Promise<string> {
  const { getDocumentProxy } = await import('unpdf');
  const document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
  const pages: string[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    pages.push(items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join(''));
    page.cleanup();
  }
  return pages.join('\n\n');
}

async function readDocx(bytes: Buffer): Promise<string | Failed> {
  if (bytes.readUInt32BE(0) === 0xd0cf11e0) return { failure: 'password_protected' };
  const fault = checkZip(bytes, zipLimits);
  if (fault === 'encrypted') return { failure: 'password_protected' };
  if (fault !== undefined) return { failure: fault === 'too_large' ? 'too_large' : 'unreadable' };
  const { default: mammoth } = await import('mammoth');
  const convertImage = mammoth.images.imgElement(async () => ({ src: '' }));
  const { value } = await mammoth.convertToHtml({ buffer: bytes }, { convertImage, externalFileAccess: false });
  return readHtml(value);
}

/** One member per line, so that the text can be split between them. */
function indentJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 1);
  } catch {
    return text;
  }
}

function layoutOf({ kind }: DetectedFile): TextLayout {
  return kind === 'csv' ? 'rows' : 'paragraphs';
}

function toFailure(error: unknown): Failed {
  const name = error instanceof Error ? error.name : '';
  return { failure: name === 'PasswordException' ? 'password_protected' : 'unreadable' };
}
