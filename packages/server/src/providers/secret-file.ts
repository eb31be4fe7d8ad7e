import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StartUpError } from '@memhall/core';

/** Reads a secret of this machine, or creates one. Two processes that start at the same time get the same one. */
export async function readOrCreateSecret(path: string, make: () => string = newSecret): Promise<string> {
  const existing = await readSecret(path);
  if (existing !== undefined) return existing;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, `${make()}\n`, { mode: 0o600, flag: 'wx' });
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return (await readSecret(path)) ?? readOrCreateSecret(path, make);
}

function newSecret(): string {
  return randomBytes(48).toString('base64url');
}

async function readSecret(path: string): Promise<string | undefined> {
  let text: string;
  try {
    text = (await readFile(path, 'utf8')).trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new StartUpError(`The secret in ${path} cannot be read (${code}): check its owner and permissions.`, {
      cause: error,
    });
  }
  if (text.length < 32) throw new StartUpError(`The secret in ${path} is too short: delete the file to get a new one.`);
  return text;
}
