import { Problem } from '@memhall/core';
import type { ReadFile } from '../../ports/file-reader.js';
import type { Resource } from '../../ports/resources.js';
import { mutate } from '../audit/mutate.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { noteStored } from '../memories/remember.js';
import { cutFile, storeChunks } from './cut-file.js';
import { toResourceMutation } from './resource-chunks.js';

/** Returns whether reading the file again may succeed because the machine was only busy. */
export function isWorthAnotherTry({ reason }: Resource): boolean {
  return reason === 'took_too_long';
}

/** Stores the text from another attempt to read the same file. Throws CONFLICT if the resource was deleted. */
export async function updateReading(
  engine: Engine,
  caller: Caller,
  present: Resource,
  read: ReadFile,
): Promise<Resource> {
  if (!('text' in read)) return present;
  const cut = await cutFile(engine, caller, present, read);
  const stored = await mutate<Resource>(engine, caller, async (tables) => {
    const current = await tables.resources.get(present.resourceId);
    if (current === undefined)
      throw new Problem('CONFLICT', 'The resource was deleted while its file was being read: send the file again.');
    if (!isWorthAnotherTry(current)) return { result: current, mutations: [] };
    tables.resources.updateReading(cut.resource);
    await storeChunks(tables, caller, cut);
    return { result: cut.resource, mutations: [toResourceMutation(cut.resource)] };
  });
  if (stored === cut.resource) for (const batch of cut.batches) noteStored(engine, caller, batch);
  return stored;
}
