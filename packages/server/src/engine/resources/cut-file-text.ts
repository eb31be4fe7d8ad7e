import { type FoundSecrets, type OptionalLabel, redact } from '@memhall/core';
import type { TextLayout } from '../../ports/file-reader.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { type ContentTask, readLong } from '../read-long.js';
import { type Chunk, chunkText } from './chunk-text.js';

interface FileText {
  text: string;
  layout: TextLayout;
  also: readonly OptionalLabel[];
}

interface CleanChunks {
  chunks: Chunk[];
  found: FoundSecrets;
}

/** Returns the chunks of the text of a file, without secrets. */
export async function cutFileText(
  engine: Engine,
  caller: Caller,
  { text, layout }: Pick<FileText, 'text' | 'layout'>,
): Promise<Chunk[]> {
  const input = { text, layout, also: await engine.tenants.alsoRedacted(scopeOf(caller)) };
  const { chunks, found } = await readLong(engine, cleanChunksTask, input, text.length);
  engine.telemetry.countRedactions(found);
  return chunks;
}

/** Removes secrets before the text is cut: a chunk may hold half of one. */
export function cleanChunks({ text, layout, also }: FileText): CleanChunks {
  const { text: clean, found } = redact(text, also);
  return { chunks: chunkText(clean, layout), found };
}

const cleanChunksTask: ContentTask<FileText, CleanChunks> = { module: import.meta.url, run: cleanChunks };
