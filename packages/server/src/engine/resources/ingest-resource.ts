import { Problem, redact, ulid } from '@memhall/core';
import type { Resource } from '../../ports/resources.js';
import { mutate } from '../audit/mutate.js';
import { isOffTheRecord, nilUlid } from '../audit/off-the-record.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { noteStored } from '../memories/remember.js';
import { scheduleCleanUp } from './clean-up-upload.js';
import { type CutFile, cutFile, storeCutFile } from './cut-file.js';
import { isWorthAnotherTry, updateReading } from './read-again.js';
import { toResourceMutation } from './resource-chunks.js';

/** An uploaded file. */
interface IncomingFile {
  /** Where the upload was stored temporarily. */
  path: string;
  name: string | null;
  sizeBytes: number;
  /** SHA-256, hexadecimal. */
  contentHash: string;
  pieces(sizeBytes: number): AsyncIterable<Buffer>;
}

type ResourceAbout = Pick<Resource, 'title' | 'description' | 'appId' | 'projectId'>;

/**
 * Stores a file and makes its text recallable. Uploading the same bytes again returns the existing resource; only a file that took
 * too long to read is read again. A file that cannot be read is stored too, with the reason. Off the record, nothing is even read.
 * Throws UNSUPPORTED_MEDIA_TYPE without storing anything.
 */
export async function ingestResource(
  engine: Engine,
  caller: Caller,
  file: IncomingFile,
  about: ResourceAbout,
): Promise<Resource> {
  if (await isOffTheRecord(engine, caller)) return unstored(engine, file, about);
  const present = await engine.store.read(scopeOf(caller), (tables) =>
    tables.resources.findByContent(file.contentHash),
  );
  if (present !== undefined && !isWorthAnotherTry(present)) return present;
  const now = engine.clock.now();
  const read = await engine.fileReader.read(file.path);
  if (read.mediaType === null) {
    throw new Problem(
      'UNSUPPORTED_MEDIA_TYPE',
      'Send text, Markdown, HTML, CSV, JSON, PDF or DOCX. Text must be in UTF-8, in UTF-16 with a byte order mark, or in Windows-1252.',
    );
  }
  if (present !== undefined) return updateReading(engine, caller, present, read);
  const description = {
    ...(await redactAbout(engine, caller, { ...about, fileName: file.name })),
    resourceId: `r_${ulid(now.getTime())}`,
    mediaType: read.mediaType,
    sizeBytes: file.sizeBytes,
    contentHash: file.contentHash,
    createdAt: now,
  };
  const cut = await cutFile(engine, caller, description, read);
  const stored = await storeResource(engine, caller, cut, file);
  if (stored === cut.resource) for (const batch of cut.batches) noteStored(engine, caller, batch);
  return stored;
}

function unstored({ clock }: Engine, { name, sizeBytes, contentHash }: IncomingFile, about: ResourceAbout): Resource {
  return {
    ...{ ...about, fileName: name, sizeBytes, contentHash, resourceId: `r_${nilUlid}`, createdAt: clock.now() },
    ...{ mediaType: 'application/octet-stream', status: 'failed', reason: 'off_the_record', chunks: 0 },
  };
}

/** Removes secrets from what is said about a file. */
async function redactAbout<T extends Pick<Resource, 'title' | 'description' | 'fileName'>>(
  engine: Engine,
  caller: Caller,
  about: T,
): Promise<T> {
  const also = await engine.tenants.alsoRedacted(scopeOf(caller));
  const clean = (text: string | null) => (text === null ? null : redact(text, also).text);
  const { title, description, fileName } = about;
  return { ...about, title: clean(title), description: clean(description), fileName: clean(fileName) };
}

/** Returns the stored resource: this one, or an earlier one with the same bytes. */
async function storeResource(engine: Engine, caller: Caller, cut: CutFile, file: IncomingFile): Promise<Resource> {
  const { resource } = cut;
  const owner = { tenantId: caller.tenantId, userId: caller.userId };
  await scheduleCleanUp(engine, owner, resource.resourceId);
  const staged = await engine.resourceFiles.stage(owner, resource.resourceId, file.pieces);
  try {
    return await mutate<Resource>(engine, caller, async (tables) => {
      const other = await tables.resources.findByContent(resource.contentHash);
      if (other !== undefined) return { result: other, mutations: [] };
      await storeCutFile(tables, caller, cut);
      await staged.store(tables);
      return { result: resource, mutations: [toResourceMutation(resource)] };
    });
  } finally {
    // If this fails, the clean-up job removes the remains.
    await staged.release().catch((error: unknown) => engine.onFault(error, 'discarding a file'));
  }
}
