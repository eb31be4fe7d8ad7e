import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile, realpath, rename, unlink, writeFile } from 'node:fs/promises';
import { makeDirectory, type OpenDirectory, openDirectory } from '../../files/open-directory.js';
import type { IndexedMessage, IndexedSession } from './indexed-session.js';

/** The index of a session file in a certain state. */
export interface StoredIndex {
  session: IndexedSession;
  /** State of the file when it was read. Null if the file may have changed since without a trace. */
  state: string | null;
}

const folder = '.index';
const suffix = '.index';
const draftSuffix = '.new';
/** Changes with the format and with how texts are split into words. */
const version = 1;

/**
 * Opens the folder with the indexes of a directory of sessions. There is one file for each session. They are derived
 * data: one that cannot be read or written is the same as none.
 */
export async function openIndexFolder(directory: string): Promise<OpenDirectory | undefined> {
  try {
    const sessions = await openDirectory(await realpath(directory));
    if (sessions === undefined) return undefined;
    return await makeDirectory(sessions, folder).finally(() => sessions.close());
  } catch {
    return undefined;
  }
}

/** Returns undefined if the index is missing, damaged or of another version. */
export async function loadIndex(files: OpenDirectory, name: string): Promise<StoredIndex | undefined> {
  try {
    const text = await readFile(files.pathOf(toFile(name)), 'utf8');
    const start = text.indexOf('\n') + 1;
    const body = text.slice(start);
    return text.slice(0, start - 1) === checksumOf(body) ? decode(body) : undefined;
  } catch {
    return undefined;
  }
}

export async function saveIndex(files: OpenDirectory, name: string, index: StoredIndex): Promise<void> {
  const draft = files.pathOf(`${toFile(name)}.${randomUUID()}${draftSuffix}`);
  const body = encode(index);
  await writeFile(draft, `${checksumOf(body)}\n${body}`, { mode: 0o600, flag: 'wx' })
    .then(() => rename(draft, files.pathOf(toFile(name))))
    .catch(() => removeQuietly(draft));
}

/** Rejects if there is an index that cannot be removed. */
export async function removeIndex(files: OpenDirectory, name: string): Promise<void> {
  await unlink(files.pathOf(toFile(name))).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

/** Removes indexes of other sessions than these, and drafts that interrupted processes left. */
export async function sweepIndexes(files: OpenDirectory, names: ReadonlySet<string>): Promise<void> {
  const found = await readdir(files.pathOf('.')).catch(() => []);
  for (const file of found) {
    const isOrphan = file.endsWith(suffix) && !names.has(file.slice(0, -suffix.length));
    // A draft may be the current one of another process, which then does without saving.
    if (isOrphan || file.endsWith(draftSuffix)) await removeQuietly(files.pathOf(file));
  }
}

async function removeQuietly(path: string): Promise<void> {
  await unlink(path).catch(() => undefined);
}

function toFile(name: string): string {
  return `${name}${suffix}`;
}

function checksumOf(body: string): string {
  return createHash('sha256').update(body).digest('hex');
}

function encode({ session: { size, hash, messages }, state }: StoredIndex): string {
  const rows = messages.map(({ offset, length, at, runId, role, words }) => [offset, length, at, runId, role, words]);
  return JSON.stringify([version, state, size, hash, rows]);
}

type Row = [offset: number, length: number, at: string, runId: string, role: IndexedMessage['role'], words: string];

function decode(body: string): StoredIndex | undefined {
  const [found, state, size, hash, rows] = JSON.parse(body) as [number, string | null, number, string, Row[]];
  if (found !== version) return undefined;
  const messages = rows.map(([offset, length, at, runId, role, words]) => ({ offset, length, at, runId, role, words }));
  return { session: { size, hash, messages }, state };
}
