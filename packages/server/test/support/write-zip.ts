import { writeFileSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';

export interface ZippedFile {
  name: string;
  bytes: Buffer | string;
  /** What the archive says of it, if that is not true. */
  says?: { unpackedBytes?: number; isEncrypted?: boolean; method?: number };
}

/** Writes a zip archive. Returns its path. */
export function writeZip(path: string, files: readonly ZippedFile[]): string {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, bytes, says = {} } of files) {
    const packed = deflateRawSync(bytes);
    const nameBytes = Buffer.from(name);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(nameBytes.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(says.isEncrypted ? 1 : 0, 8);
    entry.writeUInt16LE(says.method ?? 8, 10);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(says.unpackedBytes ?? Buffer.byteLength(bytes), 24);
    entry.writeUInt16LE(nameBytes.length, 28);
    entry.writeUInt32LE(at, 42);
    parts.push(local, nameBytes, packed);
    directory.push(entry, nameBytes);
    at += local.length + nameBytes.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(at, 16);
  writeFileSync(path, Buffer.concat([...parts, ...directory, end]));
  return path;
}
