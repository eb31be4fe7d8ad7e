import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { StartUpError } from '@memhall/core';
import { type ZipFile as Archive, type Entry, type Options, open } from 'yauzl';
import type { ForeignFile } from './foreign-files.js';

const mostEntries = 200_000;
const mostUnpackedBytes = 8 * 1024 ** 3;
/** Text shrinks to a tenth or a twentieth. What shrinks more than this was made to fill a disk. */
const mostShrinking = 250;

/** Sizes are checked while reading, so that the fault can be named. */
const options: Options = { lazyEntries: true, autoClose: false, validateEntrySizes: false };
const openArchive = promisify<string, Options, Archive>(open);

/** A zip archive that is read in place: nothing is unpacked but the entry that is being read, and that as it is read. */
export class ZipFile {
  readonly #path: string;
  readonly #archive: Archive;
  readonly #entries: readonly Entry[];

  private constructor(path: string, archive: Archive, entries: readonly Entry[]) {
    this.#path = path;
    this.#archive = archive;
    this.#entries = entries;
  }

  /** Throws StartUpError if it is not a whole archive. */
  static async open(path: string): Promise<ZipFile> {
    const broken = (cause: unknown) =>
      new StartUpError(`${path} is not a whole zip archive. Download the export again.`, { cause });
    const archive = await openArchive(path, options).catch((error: unknown) => {
      throw broken(error);
    });
    if (archive.entryCount > mostEntries) {
      archive.close();
      throw new StartUpError(`${path} has more than ${mostEntries} files. Unpack it, then import the part you need.`);
    }
    try {
      return new ZipFile(path, archive, await readEntries(archive));
    } catch (error) {
      archive.close();
      throw broken(error);
    }
  }

  entries(modifiedAt: Date): ForeignFile[] {
    return this.#entries
      .filter(({ fileName }) => !fileName.endsWith('/'))
      .map((entry) => ({
        name: entry.fileName,
        sizeBytes: entry.uncompressedSize,
        modifiedAt,
        read: () => this.#read(entry),
      }))
      .sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  async close(): Promise<void> {
    this.#archive.close();
  }

  async *#read(entry: Entry): AsyncGenerator<Buffer> {
    const { fileName: name, compressedSize, uncompressedSize } = entry;
    const refuse = (fault: string) => new StartUpError(`${name} in ${this.#path} ${fault}`);
    if (entry.isEncrypted()) throw refuse('is encrypted. Unpack the archive, then import the folder.');
    if (!entry.canDecodeFileData()) throw refuse('is packed in an unusual way. Unpack the archive, then import it.');
    const isTooLarge =
      uncompressedSize > mostUnpackedBytes || uncompressedSize > (compressedSize + 1024) * mostShrinking;
    if (isTooLarge) throw refuse('would be far larger than an export when unpacked. It was not read.');
    let size = 0;
    try {
      for await (const chunk of await this.#open(entry)) {
        size += chunk.length;
        if (size > uncompressedSize) throw refuse('is larger than the archive says. It was not read.');
        yield chunk;
      }
    } catch (error) {
      if (error instanceof StartUpError) throw error;
      throw new StartUpError(`${name} in ${this.#path} is damaged. Download the export again.`, { cause: error });
    }
    if (size !== uncompressedSize) throw refuse('is cut off. Download the export again.');
  }

  #open(entry: Entry): Promise<Readable> {
    return new Promise((resolve, reject) => {
      this.#archive.openReadStream(entry, (error, stream) => (error === null ? resolve(stream) : reject(error)));
    });
  }
}

function readEntries(archive: Archive): Promise<Entry[]> {
  const entries: Entry[] = [];
  return new Promise((resolve, reject) => {
    archive.on('entry', (entry: Entry) => {
      entries.push(entry);
      archive.readEntry();
    });
    archive.once('end', () => resolve(entries));
    archive.once('error', reject);
    archive.readEntry();
  });
}
