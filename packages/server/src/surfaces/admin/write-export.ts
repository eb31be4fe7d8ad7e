import type { ExportPart } from '../../engine/cutover/export-memories.js';
import { toEntry } from './to-entry.js';

/** Yields an export as one JSON object: `{"memories":[…]}`, followed by the closing fields. */
export async function* writeExport(parts: AsyncGenerator<ExportPart>): AsyncGenerator<string> {
  const opening = '{"memories":[\n';
  let separator = opening;
  for await (const part of parts) {
    if ('memories' in part) {
      const lines = part.memories.map((memory) => JSON.stringify(toEntry(memory)));
      if (lines.length > 0) yield `${separator}${lines.join(',\n')}`;
      if (lines.length > 0) separator = ',\n';
      continue;
    }
    yield separator === opening ? `${opening}]` : '\n]';
    if (part.nextCursor !== undefined) yield `,"next_cursor":${JSON.stringify(part.nextCursor)}`;
    if (part.truncated.length > 0) yield `,"truncated_namespaces":${JSON.stringify(part.truncated)}`;
    yield '}\n';
  }
}
