import type { ReadFile } from '../../ports/file-reader.js';
import type { Resource, ResourceDescription } from '../../ports/resources.js';
import type { Tables } from '../../ports/store.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { memoryLimits } from '../memories/memory-input.js';
import type { NewMemory } from '../memories/new-memory.js';
import { type PreparedMemories, prepareMemories, storeMemories } from '../memories/remember.js';
import { type Chunk, chunkText } from './chunk-text.js';
import { resourceKind, resourceSession } from './resource-chunks.js';

/** A resource with the memories its file is cut into, all that takes time done. */
export interface CutFile {
  resource: Resource;
  batches: readonly PreparedMemories[];
}

/** Makes of what was read from a file, of a type that can be read here, what is to be stored. */
export async function cutFile(
  engine: Engine,
  caller: Caller,
  description: ResourceDescription,
  read: ReadFile,
): Promise<CutFile> {
  const chunks = 'text' in read ? chunkText(read.text, read.layout) : [];
  const resource: Resource = {
    ...description,
    status: 'text' in read ? 'extracted' : 'failed',
    reason: 'failure' in read ? read.failure : null,
    chunks: chunks.length,
  };
  const inputs = chunks.map((chunk, number) => toNewMemory(caller, resource, chunk, number));
  const batches: PreparedMemories[] = [];
  for (let at = 0; at < inputs.length; at += memoryLimits.batch) {
    batches.push(await prepareMemories(engine, caller, inputs.slice(at, at + memoryLimits.batch)));
  }
  return { resource, batches };
}

/** But for its bytes. */
export async function storeCutFile(tables: Tables, caller: Caller, cut: CutFile): Promise<void> {
  tables.resources.insert(cut.resource);
  await storeChunks(tables, caller, cut);
}

export async function storeChunks(tables: Tables, caller: Caller, { batches }: CutFile): Promise<void> {
  for (const batch of batches) await storeMemories(tables, caller, batch);
}

function toNewMemory({ userId }: Caller, resource: Resource, { text, headings }: Chunk, number: number): NewMemory {
  const { resourceId, title, appId, projectId, createdAt } = resource;
  const cue = [title, ...headings].filter((part) => part !== null && /\S/u.test(part)).join('\n');
  return {
    kind: resourceKind,
    content: text,
    cue: cue === '' ? undefined : cue,
    sessionId: resourceSession(userId, resourceId),
    agentId: appId,
    planId: projectId,
    occurredAt: createdAt,
    metadata: { resource_id: resourceId, chunk: number, ...(title === null ? {} : { title }) },
  };
}
