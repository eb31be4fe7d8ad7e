import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StartUpError } from '@memhall/core';

const shipped = fileURLToPath(new URL('../../starter', import.meta.url));

/**
 * Reads the JSON files under `profiles` and `schemas` of a directory; by default of the starter that ships with
 * Memhall.
 */
export async function readStarter(directory: string = shipped): Promise<{ profiles: unknown[]; schemas: unknown[] }> {
  return {
    profiles: await readJsonFiles(join(directory, 'profiles')),
    schemas: await readJsonFiles(join(directory, 'schemas')),
  };
}

async function readJsonFiles(directory: string): Promise<unknown[]> {
  const names = await readdir(directory).catch((cause: unknown) => {
    throw new StartUpError(`The starter directory ${directory} cannot be read. Check MEMHALL_STARTER.`, { cause });
  });
  const files = names.filter((name) => name.endsWith('.json')).sort();
  return Promise.all(files.map((name) => readJson(join(directory, name))));
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (cause) {
    throw new StartUpError(`${file} is not a readable JSON file. Check MEMHALL_STARTER.`, { cause });
  }
}
