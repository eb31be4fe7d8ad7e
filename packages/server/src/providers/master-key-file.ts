import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartUpError } from '@memhall/core';
import { type MasterKeys, newMasterKey, parseMasterKey } from './master-key-wrapper.js';
import { readOrCreateSecret } from './secret-file.js';

const present = 'master-key';
const older = 'master-key.previous';

/** The master keys of a data directory: the present one, made if there is none, and those before it. */
export async function readMasterKeys(directory: string): Promise<MasterKeys> {
  const current = await readOrCreateSecret(join(directory, present), newMasterKey);
  const previous = await readPrevious(directory);
  return [parse(directory, current), ...previous.map((key) => parse(directory, key))];
}

/**
 * Makes a new master key the present one. Older ones stay in a file beside it: a server that runs may lock something with
 * them until it has seen the new one.
 */
export async function replaceMasterKey(directory: string): Promise<void> {
  const current = await readOrCreateSecret(join(directory, present), newMasterKey);
  const previous = await readPrevious(directory);
  await replaceFile(join(directory, older), [current, ...previous]);
  await replaceFile(join(directory, present), [newMasterKey()]);
}

async function readPrevious(directory: string): Promise<string[]> {
  try {
    return (await readFile(join(directory, older), 'utf8')).split('\n').filter((line) => line.trim() !== '');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new StartUpError(`The older master keys in ${join(directory, older)} cannot be read.`, { cause: error });
  }
}

/** Whole or not at all: whoever reads meanwhile sees the old file or the new one. */
async function replaceFile(path: string, lines: readonly string[]): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, `${lines.join('\n')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  await rename(draft, path);
}

function parse(directory: string, text: string): Buffer {
  return parseMasterKey(text, `The master key in ${directory}`);
}
