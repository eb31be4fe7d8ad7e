import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { StartUpError } from '@memhall/core';
import { createTwoFilesPatch } from 'diff';
import { confirmInTerminal } from '../ask-in-terminal.js';
import type { FileChange } from './plan-change.js';

/** Readable by its owner only: the file of a client may contain secrets of other servers. */
const privateMode = 0o600;

/** Shows the change and writes it if the user agrees, or with `isAgreed`. Throws as `agrees` and `writeChange`. Returns whether it was written. */
export async function showAndWrite(
  change: FileChange,
  isAgreed: boolean,
  stream: NodeJS.WritableStream,
): Promise<boolean> {
  stream.write(`${describeChange(change)}\n`);
  if (!isAgreed && !(await agrees(stream))) return false;
  writeChange(change);
  return true;
}

/** Throws StartUpError if the file has changed since the change was planned. */
export function writeChange({ path, before, after, backup, backupIs }: FileChange): void {
  const now = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  if (now !== before)
    throw new StartUpError(`${path} has changed meanwhile. Nothing was written to it; run the command again.`);
  if (backupIs === 'written' && before !== undefined) replaceFile(backup, before, privateMode);
  if (after === undefined) rmSync(path);
  else replaceFile(path, after, existsSync(path) ? statSync(path).mode & 0o777 : privateMode);
  if (backupIs === 'removed') rmSync(backup, { force: true });
}

/** A unified diff. */
export function describeChange({ path, before = '', after = '' }: FileChange): string {
  return createTwoFilesPatch(path, path, before, after, '', '', { context: 3 }).split('\n').slice(1).join('\n');
}

/** Asks. Throws StartUpError if nobody can be asked, or if the user ends it. */
export async function agrees(output: NodeJS.WritableStream): Promise<boolean> {
  if (!process.stdin.isTTY) throw new StartUpError('Nothing was written. Add --yes to write this.');
  return confirmInTerminal('Write this?', output);
}

/** Replaces the file at once, so that a client never reads half of it. */
function replaceFile(path: string, text: string, mode: number): void {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${randomUUID()}`;
  try {
    writeFileSync(draft, text, { mode: privateMode, flag: 'wx' });
    chmodSync(draft, mode);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
