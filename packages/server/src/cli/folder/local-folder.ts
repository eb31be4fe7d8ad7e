import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, realpath, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StartUpError, uuidv7 } from '@memhall/core';
import { isMemoryName } from '../../engine/memory-files/memory-path.js';
import { maxFileChars } from '../../engine/memory-files/write-memory-file.js';

const stateDirectory = '.memhall';
export const stateFile = `${stateDirectory}/base.json`;

/** No character has more bytes in UTF-8. */
const maxBytes = 4 * maxFileChars;
const maxEntries = 10_000;

interface LocalFiles {
  /** Texts by name, with `/` between the parts. */
  texts: Map<string, string>;
  /** What is there and cannot be one of the files, with the reason. */
  unfit: Map<string, string>;
}

/**
 * A directory whose files are copies. Nothing outside it is read or written: symbolic links are reported, not followed. Names that begin with
 * a dot belong to editors and other tools.
 */
export class LocalFolder {
  private constructor(
    /** Without symbolic links. */
    readonly path: string,
  ) {}

  /** Creates the directory if it is missing. Throws StartUpError if something else is there. */
  static async open(path: string): Promise<LocalFolder> {
    await mkdir(path, { recursive: true }).catch(() => undefined);
    const stats = await lstat(path).catch(() => undefined);
    if (!stats?.isDirectory()) throw new StartUpError(`${path} is not a directory.`);
    const folder = new LocalFolder(await realpath(path));
    await folder.#makeParents(stateFile);
    return folder;
  }

  pathOf(name: string): string {
    return join(this.path, ...name.split('/'));
  }

  /** Reads all files. */
  async read(): Promise<LocalFiles> {
    const files: LocalFiles = { texts: new Map(), unfit: new Map() };
    const pending = [''];
    for (let count = 0, directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
      const entries = await readdir(join(this.path, directory), { withFileTypes: true });
      count += entries.length;
      if (count > maxEntries) throw new StartUpError(`${this.path} has more than ${maxEntries} entries.`);
      for (const entry of entries) {
        if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
        const name = `${directory}${entry.name}`.normalize('NFC');
        if (entry.isDirectory()) pending.push(`${name}/`);
        else await this.#readInto(files, name);
      }
    }
    return files;
  }

  /** Replaces or removes a file, unless it is not `expected` any more. Returns whether it did. */
  async change(name: string, text: string | undefined, expected: string | undefined): Promise<boolean> {
    if (!isMemoryName(name) || !isVisible(name))
      throw new StartUpError(`${name} is not a name that a file can have here.`);
    if (text !== undefined) await this.#makeParents(name);
    const { texts, unfit } = await this.#readOne(name);
    if (unfit.has(name) || texts.get(name) !== expected) return false;
    if (text !== undefined) await this.#replace(name, text);
    else await this.#remove(name);
    return true;
  }

  writeState(text: string): Promise<void> {
    return this.#replace(stateFile, text);
  }

  async #readOne(name: string): Promise<LocalFiles> {
    const files: LocalFiles = { texts: new Map(), unfit: new Map() };
    await this.#readInto(files, name);
    return files;
  }

  async #readInto({ texts, unfit }: LocalFiles, name: string): Promise<void> {
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    let file: Awaited<ReturnType<typeof open>>;
    try {
      file = await open(this.pathOf(name), flags);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR') return;
      unfit.set(name, code === 'ELOOP' ? 'is a symbolic link' : `cannot be read (${code})`);
      return;
    }
    try {
      const stats = await file.stat();
      const fault = !stats.isFile() ? 'is not a file' : stats.size > maxBytes ? 'is too large' : undefined;
      const text = fault === undefined ? toText(await file.readFile()) : undefined;
      if (text === undefined) unfit.set(name, fault ?? 'is not text in UTF-8');
      else if (isMemoryName(name)) texts.set(name, text);
      else unfit.set(name, 'has a name that Memhall does not accept');
    } finally {
      await file.close();
    }
  }

  /** Creates the directories that lead to a name. Throws StartUpError if one of them is a symbolic link or a file. */
  async #makeParents(name: string): Promise<void> {
    const parts = name.split('/').slice(0, -1);
    for (let count = 1; count <= parts.length; count++) {
      const path = this.pathOf(parts.slice(0, count).join('/'));
      await mkdir(path).catch(() => undefined);
      const stats = await lstat(path).catch(() => undefined);
      if (!stats?.isDirectory()) throw new StartUpError(`${path} is not a directory. Move it elsewhere.`);
    }
  }

  /** Readers see the old file or the new one. A symbolic link of this name would be replaced, not followed. */
  async #replace(name: string, text: string): Promise<void> {
    const temporary = this.pathOf(`${stateDirectory}/${uuidv7()}.tmp`);
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, this.pathOf(name)).catch(async (error: unknown) => {
      await rm(temporary, { force: true });
      throw error;
    });
  }

  /** Removes a file and the directories that it leaves empty. */
  async #remove(name: string): Promise<void> {
    await rm(this.pathOf(name), { force: true });
    for (let at = dirname(name); at !== '.'; at = dirname(at)) {
      const isEmpty = await rmdir(this.pathOf(at)).then(
        () => true,
        () => false,
      );
      if (!isEmpty) return;
    }
  }
}

/** Returns whether a file of this name is copied at all. */
export function isVisible(name: string): boolean {
  return !name.split('/').some((part) => part.startsWith('.') || part === 'node_modules');
}

function toText(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
