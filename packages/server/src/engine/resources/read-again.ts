import { Problem } from '@memhall/core';
import type { ReadFile } from '../../ports/file-reader.js';
import type { Resource } from '../../ports/resources.js';
import { mutate } from '../audit/mutate.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { noteStored } from '../memories/remember.js';
import { cutFile, storeChunks } from './cut-file.js';
import { toResourceMutation } from './resource-chunks.js';

/** Whether a file that could not be read may be readable at another time: the machine was busy. */
export function isWorthAnotherTry({ reason }: Resource): boolean {
  return reason === 'took_too_long';
}

/** Takes up what a later reading of the same file gave. */
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
      throw new Problem('CONFLICT', 'The resource was deleted meanwhile: send the file again.');
    if (!isWorthAnotherTry(current)) return { result: current, mutations: [] };
    tables.resources.updateReading(cut.resource);
    await storeChunks(tables, caller, cut);
    return { result: cut.resource, mutations: [toResourceMutation(cut.resource)] };
  });
  if (stored === cut.resource) for (const batch of cut.batches) noteStored(engine, caller, batch);
  return stored;
}
