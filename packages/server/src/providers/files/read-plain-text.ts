import type { ReadFile } from '../../ports/file-reader.js';
import { decodeText } from './decode-text.js';
import { readBytes } from './read-bytes.js';

/** Larger texts are worth a process: what is done with them takes a while. */
export const maxPlainBytes = 64 * 1024;

/**
 * Reads a small file if it is text that needs no parser. Returns undefined for everything else, such as HTML, JSON and what is not
 * text.
 */
export async function readPlainText(bytes: Buffer): Promise<ReadFile | undefined> {
  if (bytes.subarray(0, 1024).includes('%PDF-')) return undefined;
  const text = decodeText(bytes);
  if (text === undefined || /^\s*[<[{]/.test(text)) return undefined;
  return readBytes(bytes, () => undefined);
}
