import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';

/** A file of JSON lines that only grows. What `append` has answered is on the disk. */
export class Journal {
  /** @type {import('node:fs/promises').FileHandle} */ #file;
  /** @type {{ line: string, done: () => void, fail: (error: unknown) => void }[]} */ #waiting = [];
  #isWriting = false;
  /** Once a write has failed nobody knows what is in the file: no more are taken. */
  isBroken = false;

  /** @param {import('node:fs/promises').FileHandle} file */
  constructor(file) {
    this.#file = file;
  }

  /** Reads what there is. A last line without its end was never answered, so it does not count. @param {string} path */
  static read(path) {
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
  }

  /** Begins again with these entries, all or nothing. @param {string} path @param {unknown[]} entries */
  static async rewrite(path, entries) {
    const fresh = `${path}.new`;
    writeFileSync(fresh, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''), { mode: 0o600 });
    const file = openSync(fresh, 'r+');
    fsyncSync(file);
    closeSync(file);
    renameSync(fresh, path);
    return new Journal(await open(path, 'a'));
  }

  /** Entries of callers who come meanwhile share the next fsync. @param {unknown[]} entries @returns {Promise<void>} */
  append(entries) {
    const line = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
    return new Promise((done, fail) => {
      this.#waiting.push({ line, done, fail });
      void this.#write();
    });
  }

  async close() {
    await this.append([]).catch(() => undefined);
    await this.#file.close();
  }

  async #write() {
    if (this.#isWriting) return;
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0);
      try {
        if (this.isBroken) throw new Error('the journal is broken');
        await this.#file.appendFile(batch.map(({ line }) => line).join(''));
        await this.#file.datasync();
        for (const { done } of batch) done();
      } catch (error) {
        this.isBroken = true;
        for (const { fail } of batch) fail(error);
      }
    }
    this.#isWriting = false;
  }
}
