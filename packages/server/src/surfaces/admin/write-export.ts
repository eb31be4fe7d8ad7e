import { Readable } from 'node:stream';
import type { ExportPart } from '../../engine/cutover/export-memories.js';
import { toEntry } from './to-entry.js';

/**
 * Streams an export as one JSON object: `{"memories":[…]}`, followed by the closing fields. Waits for the first part,
 * so that an immediate failure becomes an error response. A later failure aborts the response.
 */
export async function writeExport(parts: AsyncGenerator<ExportPart>): Promise<Readable> {
  const first = await parts.next();
  return Readable.from(toText(first.done ? undefined : first.value, parts), { objectMode: false });
}

async function* toText(first: ExportPart | undefined, rest: AsyncGenerator<ExportPart>): AsyncGenerator<string> {
  yield '{"memories":[';
  let separator = '\n';
  for await (const part of withFirst(first, rest)) {
    if ('memories' in part) {
      const lines = part.memories.map((memory) => JSON.stringify(toEntry(memory)));
      if (lines.length > 0) yield `${separator}${lines.join(',\n')}`;
      if (lines.length > 0) separator = ',\n';
      continue;
    }
    yield '\n]';
    if (part.nextCursor !== undefined) yield `,"next_cursor":${JSON.stringify(part.nextCursor)}`;
    if (part.truncated.length > 0) yield `,"truncated_namespaces":${JSON.stringify(part.truncated)}`;
    yield '}\n';
  }
}

async function* withFirst<T>(first: T | undefined, rest: AsyncGenerator<T>): AsyncGenerator<T> {
  if (first !== undefined) yield first;
  yield* rest;
}
