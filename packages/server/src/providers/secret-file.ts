import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
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

interface FileOwner {
  uid: number;
  mode: number;
}

/**
 * Returns why a file with a secret cannot be trusted, or undefined. Secrets of root are trusted, because orchestrators
 * mount them so.
 * @param ownUid the user of this process; undefined where the system has no such users
 */
export function findSecretFault(
  path: string,
  { uid, mode }: FileOwner,
  ownUid: number | undefined,
): string | undefined {
  if (ownUid === undefined) return undefined;
  if (uid !== ownUid && uid !== 0) {
    return `The secret in ${path} belongs to another user (uid ${uid}), who may know it. Delete the file to get a new secret, or run: chown ${ownUid} ${path}`;
  }
  if ((mode & 0o002) === 0) return undefined;
  return `The secret in ${path} can be replaced by every user of this machine. Run: chmod 600 ${path}`;
}

/** Throws StartUpError if another user may know or replace the secret in a file. */
export async function checkSecretFile(path: string): Promise<void> {
  const fault = findSecretFault(path, await stat(path), process.getuid?.());
  if (fault !== undefined) throw new StartUpError(fault);
}

async function readSecret(path: string): Promise<string | undefined> {
  let text: string;
  try {
    await checkSecretFile(path);
    text = (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if (error instanceof StartUpError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new StartUpError(`The secret in ${path} cannot be read (${code}): check its owner and permissions.`, {
      cause: error,
    });
  }
  if (text.length < 32) throw new StartUpError(`The secret in ${path} is too short: delete the file to get a new one.`);
  return text;
}
