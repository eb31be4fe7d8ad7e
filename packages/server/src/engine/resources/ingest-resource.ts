import { Problem, ulid } from '@memhall/core';
import type { Resource } from '../../ports/resources.js';
import type { Tables } from '../../ports/store.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { mutate } from '../governance/mutate.js';
import { memoryLimits } from '../memories/memory-input.js';
import type { NewMemory } from '../memories/new-memory.js';
import { noteStored, type PreparedMemories, prepareMemories, storeMemories } from '../memories/remember.js';
import { type Chunk, chunkText } from './chunk-text.js';
import { resourceKind, resourceSession, resourceTarget } from './resource-chunks.js';

const pieceBytes = 1024 * 1024;

/** A file as it came in. */
export interface IncomingFile {
  /** Where it is for now. */
  path: string;
  name: string | null;
  sizeBytes: number;
  /** SHA-256, hexadecimal. */
  contentHash: string;
  pieces(sizeBytes: number): AsyncIterable<Buffer>;
}

export type ResourceAbout = Pick<Resource, 'title' | 'description' | 'appId' | 'projectId'>;

/**
 * Keeps a file and makes its text recallable. The same bytes again are the same resource, as it is. A file that cannot be
 * read is kept too, and says why. Throws UNSUPPORTED_MEDIA_TYPE; nothing is stored then.
 */
export async function ingestResource(
  engine: Engine,
  caller: Caller,
  file: IncomingFile,
  about: ResourceAbout,
): Promise<Resource> {
  const present = await engine.store.read(scopeOf(caller), (tables) =>
    tables.resources.findByContent(file.contentHash),
  );
  if (present !== undefined) return present;
  const now = engine.clock.now();
  const read = await engine.files.read(file.path);
  if (read.mediaType === null) {
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', 'Send text, Markdown, HTML, CSV, JSON, PDF or DOCX.');
  }
  const chunks = 'text' in read ? chunkText(read.text, read.layout) : [];
  const resource: Resource = {
    ...about,
    resourceId: `r_${ulid(now.getTime())}`,
    fileName: file.name,
    mediaType: read.mediaType,
    sizeBytes: file.sizeBytes,
    contentHash: file.contentHash,
    status: 'failure' in read ? 'failed' : 'extracted',
    reason: 'failure' in read ? read.failure : null,
    chunks: chunks.length,
    createdAt: now,
  };
  const batches = await prepareChunks(engine, caller, resource, chunks);
  const stored = await mutate(engine, caller, async (tables) => {
    const other = await tables.resources.findByContent(file.contentHash);
    if (other !== undefined) return { result: other, mutations: [] };
    tables.resources.insert(resource);
    await storePieces(tables, resource.resourceId, file);
    for (const batch of batches) await storeMemories(tables, caller, batch);
    const mutation = {
      target: resourceTarget(resource.resourceId),
      preEtag: null,
      postEtag: null,
      contentHash: resource.contentHash,
      details: { chunks: resource.chunks, media_type: resource.mediaType },
    };
    return { result: resource, mutations: [mutation] };
  });
  if (stored === resource) for (const batch of batches) noteStored(engine, caller, batch);
  return stored;
}

async function prepareChunks(
  engine: Engine,
  caller: Caller,
  resource: Resource,
  chunks: readonly Chunk[],
): Promise<PreparedMemories[]> {
  const inputs = chunks.map((chunk, number) => toNewMemory(caller, resource, chunk, number));
  const batches: PreparedMemories[] = [];
  for (let at = 0; at < inputs.length; at += memoryLimits.batch) {
    batches.push(await prepareMemories(engine, caller, inputs.slice(at, at + memoryLimits.batch)));
  }
  return batches;
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

async function storePieces(tables: Tables, resourceId: string, file: IncomingFile): Promise<void> {
  let number = 0;
  for await (const bytes of file.pieces(pieceBytes)) tables.resources.addPiece(resourceId, number++, bytes);
}
