import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StartUpError } from '@memhall/core';
import { makeTemporaryDirectory } from './temporary-directory.js';

const lineEnd = 0x0a;
/** Far longer than any record: a file with such a line is not an archive. */
const maxLineBytes = 64 * 1024 * 1024;

/** Yields lines without their line breaks. Keeps one line at a time in memory. */
export async function* readLines(path: string): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(lineEnd); end !== -1; end = chunk.indexOf(lineEnd, start)) {
      yield Buffer.concat([...parts, chunk.subarray(start, end)]);
      parts = [];
      size = 0;
      start = end + 1;
    }
    if (start === chunk.length) continue;
    parts.push(chunk.subarray(start));
    size += chunk.length - start;
    if (size > maxLineBytes) throw new StartUpError(`${path} has a line of more than 64 MiB: it is not an archive.`);
  }
  if (parts.length > 0) yield Buffer.concat(parts);
}

/**
 * Writes a stream to a file, because an archive is read twice. Only its owner can read it. The caller must call
 * `remove`.
 */
export async function spool(stream: Readable): Promise<{ path: string; remove(): Promise<void> }> {
  const directory = await makeTemporaryDirectory();
  const path = join(directory.path, 'archive');
  try {
    await pipeline(stream, createWriteStream(path, { mode: 0o600 }));
  } catch (error) {
    await directory.remove();
    throw error;
  }
  return { path, remove: directory.remove };
}
