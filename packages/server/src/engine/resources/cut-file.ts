import type { ReadFile } from '../../ports/file-reader.js';
import type { MemoryOrigin } from '../../ports/memory-origin.js';
import type { Resource, ResourceDescription } from '../../ports/resources.js';
import type { Tables } from '../../ports/store.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { toAppColumns } from '../memories/chat-columns.js';
import { memoryLimits } from '../memories/memory-input.js';
import type { NewMemory } from '../memories/new-memory.js';
import { type PreparedMemories, prepareMemories, storeMemories } from '../memories/remember.js';
import type { Chunk } from './chunk-text.js';
import { cutFileText } from './cut-file-text.js';
import { resourceKind, resourceSession } from './resource-chunks.js';

/** A resource with the memories its file is cut into, prepared so that only storing is left. */
export interface CutFile {
  resource: Resource;
  batches: readonly PreparedMemories[];
}

/**
 * Prepares the resource and memories of a file for storage, without secrets. The file must be of a supported type. `derivedFrom` is given if it
 * was uploaded earlier and the caller only restores it.
 */
export async function cutFile(
  engine: Engine,
  caller: Caller,
  description: ResourceDescription,
  read: ReadFile,
  derivedFrom?: MemoryOrigin,
): Promise<CutFile> {
  const chunks = 'text' in read ? await cutFileText(engine, caller, read) : [];
  const resource: Resource = {
    ...description,
    status: 'text' in read ? 'extracted' : 'failed',
    reason: 'failure' in read ? read.failure : null,
    chunks: chunks.length,
  };
  const inputs = chunks.map((chunk, number) => ({
    ...toNewMemory(caller, resource, chunk, number),
    derivedFrom,
  }));
  const batches: PreparedMemories[] = [];
  for (let at = 0; at < inputs.length; at += memoryLimits.batch) {
    batches.push(await prepareMemories(engine, caller, inputs.slice(at, at + memoryLimits.batch)));
  }
  return { resource, batches };
}

/** Stores everything except the bytes of the file. */
export async function storeCutFile(tables: Tables, caller: Caller, cut: CutFile): Promise<void> {
  tables.resources.insert(cut.resource);
  await storeChunks(tables, caller, cut);
}

export async function storeChunks(tables: Tables, caller: Caller, { batches }: CutFile): Promise<void> {
  for (const batch of batches) await storeMemories(tables, caller, batch);
}

function toNewMemory({ userId }: Caller, resource: Resource, { text, headings }: Chunk, number: number): NewMemory {
  const { resourceId, title, fileName, createdAt } = resource;
  const cue = [title, ...headings].filter((part) => part !== null && /\S/u.test(part)).join('\n');
  return {
    kind: resourceKind,
    content: text,
    cue: cue === '' ? undefined : cue,
    sessionId: resourceSession(userId, resourceId),
    ...toAppColumns(resource),
    occurredAt: createdAt,
    metadata: {
      resource_id: resourceId,
      chunk: number,
      ...(title === null ? {} : { title }),
      ...(fileName === null ? {} : { file_name: fileName }),
    },
  };
}
