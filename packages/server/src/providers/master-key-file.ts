import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartUpError } from '@memhall/core';
import { type MasterKeys, newMasterKey, parseMasterKey } from './master-key-wrapper.js';
import { checkSecretFile, readOrCreateSecret } from './secret-file.js';

const present = 'master-key';
const older = 'master-key.previous';

export function hasMasterKey(directory: string): boolean {
  return existsSync(join(directory, present));
}

/** Returns the master keys of a data directory: the current one, created if there is none, and the previous ones. */
export async function readMasterKeys(directory: string): Promise<MasterKeys> {
  const current = await readOrCreateSecret(join(directory, present), newMasterKey);
  const previous = await readPrevious(directory);
  return [parse(directory, current), ...previous.map((key) => parse(directory, key))];
}

/**
 * Creates a new master key and makes it the current one. Previous keys stay in a file next to it: a running server may
 * still encrypt with them until it notices the new one.
 */
export async function replaceMasterKey(directory: string): Promise<void> {
  const current = await readOrCreateSecret(join(directory, present), newMasterKey);
  const previous = await readPrevious(directory);
  await replaceFile(join(directory, older), [current, ...previous]);
  await replaceFile(join(directory, present), [newMasterKey()]);
}

async function readPrevious(directory: string): Promise<string[]> {
  try {
    await checkSecretFile(join(directory, older));
    return (await readFile(join(directory, older), 'utf8')).split('\n').filter((line) => line.trim() !== '');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    if (error instanceof StartUpError) throw error;
    throw new StartUpError(`The older master keys in ${join(directory, older)} cannot be read.`, { cause: error });
  }
}

/** Replaces the file atomically: a concurrent reader sees the old file or the new one. */
async function replaceFile(path: string, lines: readonly string[]): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, `${lines.join('\n')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  await rename(draft, path);
}

function parse(directory: string, text: string): Buffer {
  return parseMasterKey(text, `The master key in ${directory}`);
}
