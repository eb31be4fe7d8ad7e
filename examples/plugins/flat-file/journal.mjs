import { existsSync, fdatasyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';

/** Returns all entries. An incomplete last line was never acknowledged, so it is skipped. @param {string} path */
export function readJournal(path) {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
  return lines.map((line) => JSON.parse(line));
}

/** An append-only file of JSON lines. When `append` returns, the entries are on disk. */
export class Journal {
  #file;
  /** After a failed write the content of the file is unknown, so no further writes are accepted. */
  isBroken = false;

  /** Atomically replaces the file with these entries. @param {string} path @param {unknown[]} entries */
  constructor(path, entries) {
    this.#file = openSync(`${path}.new`, 'w', 0o600);
    this.append(entries);
    renameSync(`${path}.new`, path);
  }

  /** Must not be called if `isBroken`. @param {unknown[]} entries */
  append(entries) {
    const bytes = Buffer.from(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    this.isBroken = true;
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done);
    fdatasyncSync(this.#file);
    this.isBroken = false;
  }
}
