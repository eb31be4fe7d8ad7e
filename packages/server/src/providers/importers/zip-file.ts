import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import { StartUpError } from '@memhall/core';
import type { ForeignFile } from './foreign-files.js';

const endSignature = 0x06054b50;
const largeEndSignature = 0x06064b50;
const largeEndLocator = 0x07064b50;
const entrySignature = 0x02014b50;
const localSignature = 0x04034b50;
const endLength = 22;
const longestComment = 0xffff;
const entryLength = 46;
const localLength = 30;
const absent16 = 0xffff;
const absent32 = 0xffffffff;

const mostEntries = 200_000;
const mostDirectoryBytes = 128 * 1024 * 1024;
const mostUnpackedBytes = 8 * 1024 ** 3;
/** Text shrinks to a tenth or a twentieth. What shrinks more than this was made to fill a disk. */
const mostShrinking = 250;
const chunkBytes = 256 * 1024;

interface Entry {
  name: string;
  method: number;
  isEncrypted: boolean;
  packedBytes: number;
  unpackedBytes: number;
  localOffset: number;
}

/** A zip archive that is read in place: nothing is unpacked but the entry that is being read, and that as it is read. */
export class ZipFile {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #entries: readonly Entry[];

  private constructor(path: string, file: FileHandle, entries: readonly Entry[]) {
    this.#path = path;
    this.#file = file;
    this.#entries = entries;
  }

  /** Throws StartUpError if it is not a whole archive. */
  static async open(path: string): Promise<ZipFile> {
    const file = await open(path);
    try {
      return new ZipFile(path, file, await readEntries(path, file));
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  entries(modifiedAt: Date): ForeignFile[] {
    return this.#entries
      .filter(({ name }) => !name.endsWith('/'))
      .map((entry) => ({
        name: entry.name,
        sizeBytes: entry.unpackedBytes,
        modifiedAt,
        read: () => this.#read(entry),
      }))
      .sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async *#read(entry: Entry): AsyncGenerator<Buffer> {
    const { name, method, isEncrypted, packedBytes, unpackedBytes } = entry;
    const refuse = (fault: string) => new StartUpError(`${name} in ${this.#path} ${fault}`);
    if (isEncrypted) throw refuse('is encrypted. Unpack the archive, then import the folder.');
    if (method !== 0 && method !== 8) throw refuse('is packed in an unusual way. Unpack the archive, then import it.');
    const isTooLarge = unpackedBytes > mostUnpackedBytes || unpackedBytes > (packedBytes + 1024) * mostShrinking;
    if (isTooLarge) throw refuse('would be far larger than an export when unpacked. It was not read.');
    const packed = Readable.from(this.#packed(entry));
    const source: AsyncIterable<Buffer> =
      method === 0 ? packed : packed.pipe(createInflateRaw({ chunkSize: chunkBytes }));
    packed.on('error', (error) => 'destroy' in source && (source as Readable).destroy(error));
    let size = 0;
    try {
      for await (const chunk of source) {
        size += chunk.length;
        if (size > unpackedBytes) throw refuse('is larger than the archive says. It was not read.');
        yield chunk;
      }
    } catch (error) {
      if (error instanceof StartUpError) throw error;
      throw new StartUpError(`${name} in ${this.#path} is damaged. Download the export again.`, { cause: error });
    } finally {
      packed.destroy();
    }
    if (size !== unpackedBytes) throw refuse('is cut off. Download the export again.');
  }

  async *#packed({ name, localOffset, packedBytes }: Entry): AsyncGenerator<Buffer> {
    const local = await readAt(this.#file, localOffset, localLength);
    if (local.length < localLength || local.readUInt32LE(0) !== localSignature) {
      throw new StartUpError(`${name} in ${this.#path} is damaged. Download the export again.`);
    }
    let at = localOffset + localLength + local.readUInt16LE(26) + local.readUInt16LE(28);
    for (let left = packedBytes; left > 0; ) {
      const chunk = await readAt(this.#file, at, Math.min(chunkBytes, left));
      if (chunk.length === 0) return;
      yield chunk;
      at += chunk.length;
      left -= chunk.length;
    }
  }
}

async function readEntries(path: string, file: FileHandle): Promise<Entry[]> {
  const broken = new StartUpError(`${path} is not a whole zip archive. Download the export again.`);
  const { size } = await file.stat();
  const tailAt = Math.max(0, size - endLength - longestComment);
  const tail = await readAt(file, tailAt, size - tailAt);
  const end = findEnd(tail);
  if (end === undefined) throw broken;
  let [count, bytes, at] = [tail.readUInt16LE(end + 10), tail.readUInt32LE(end + 12), tail.readUInt32LE(end + 16)];
  if (count === absent16 || bytes === absent32 || at === absent32) {
    const locator = await readAt(file, tailAt + end - 20, 20);
    if (locator.length < 20 || locator.readUInt32LE(0) !== largeEndLocator) throw broken;
    const large = await readAt(file, Number(locator.readBigUInt64LE(8)), 56);
    if (large.length < 56 || large.readUInt32LE(0) !== largeEndSignature) throw broken;
    [count, bytes, at] = [32, 40, 48].map((offset) => Number(large.readBigUInt64LE(offset))) as [
      number,
      number,
      number,
    ];
  }
  if (count > mostEntries || bytes > mostDirectoryBytes) {
    throw new StartUpError(`${path} has more than ${mostEntries} files. Unpack it, then import the part you need.`);
  }
  const directory = await readAt(file, at, bytes);
  const entries: Entry[] = [];
  for (let from = 0; entries.length < count; ) {
    if (from + entryLength > directory.length || directory.readUInt32LE(from) !== entrySignature) throw broken;
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((offset) =>
      directory.readUInt16LE(from + offset),
    ) as [number, number, number];
    entries.push(toEntry(directory, from, nameBytes, extraBytes));
    from += entryLength + nameBytes + extraBytes + commentBytes;
  }
  return entries;
}

function toEntry(directory: Buffer, from: number, nameBytes: number, extraBytes: number): Entry {
  const nameAt = from + entryLength;
  const extra = directory.subarray(nameAt + nameBytes, nameAt + nameBytes + extraBytes);
  const [unpackedBytes, packedBytes, localOffset] = largeNumbers(extra, [
    directory.readUInt32LE(from + 24),
    directory.readUInt32LE(from + 20),
    directory.readUInt32LE(from + 42),
  ]);
  return {
    name: directory.toString('utf8', nameAt, nameAt + nameBytes).replaceAll('\\', '/'),
    method: directory.readUInt16LE(from + 10),
    isEncrypted: (directory.readUInt16LE(from + 8) & 1) === 1,
    ...{ unpackedBytes, packedBytes, localOffset },
  };
}

/** In archives of more than 4 GiB, numbers that do not fit are in an extra field, in this order. */
function largeNumbers(extra: Buffer, numbers: [number, number, number]): [number, number, number] {
  if (!numbers.includes(absent32)) return numbers;
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    let next = at + 4;
    return numbers.map((number) => {
      if (number !== absent32 || next + 8 > extra.length) return number;
      next += 8;
      return Number(extra.readBigUInt64LE(next - 8));
    }) as [number, number, number];
  }
  return numbers;
}

function findEnd(tail: Buffer): number | undefined {
  for (let at = tail.length - endLength; at >= 0; at--) if (tail.readUInt32LE(at) === endSignature) return at;
  return undefined;
}

async function readAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.max(0, length));
  let size = 0;
  while (size < buffer.length) {
    const { bytesRead } = await file.read(buffer, size, buffer.length - size, at + size);
    if (bytesRead === 0) break;
    size += bytesRead;
  }
  return buffer.subarray(0, size);
}
