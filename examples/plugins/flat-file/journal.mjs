import { existsSync, fdatasyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';

/** What there is. A last line without its end was never answered for, so it does not count. @param {string} path */
export function readJournal(path) {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
  return lines.map((line) => JSON.parse(line));
}

/** A file of JSON lines that only grows. What `append` has returned from is on the disk. */
export class Journal {
  #file;
  /** Once a write has failed nobody knows what is in the file: no more are taken. */
  isBroken = false;

  /** Begins again with what is still worth keeping, all or nothing. @param {string} path @param {unknown[]} entries */
  constructor(path, entries) {
    this.#file = openSync(`${path}.new`, 'w', 0o600);
    this.append(entries);
    renameSync(`${path}.new`, path);
  }

  /** Must not be called once broken. @param {unknown[]} entries */
  append(entries) {
    const bytes = Buffer.from(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    this.isBroken = true;
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done);
    fdatasyncSync(this.#file);
    this.isBroken = false;
  }
}
