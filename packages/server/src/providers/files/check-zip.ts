import { inflateRawSync } from 'node:zlib';

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const localSignature = 0x04034b50;
const endLength = 22;
const longestComment = 0xffff;

interface ZipLimits {
  entries: number;
  /** Unpacked size of all entries together. */
  totalBytes: number;
}

type ZipFault = 'broken' | 'encrypted' | 'too_large';

interface ZipEntry {
  method: number;
  isEncrypted: boolean;
  packedBytes: number;
  unpackedBytes: number;
  localOffset: number;
}

/**
 * Returns why an archive must not be unpacked, or undefined if it may be. Checks the declared sizes first, then the
 * real ones, unpacking each entry no further than its declared size.
 */
export function checkZip(archive: Buffer, limits: ZipLimits): ZipFault | undefined {
  const entries = readDirectory(archive, limits.entries);
  if (typeof entries === 'string') return entries;
  if (entries.some(({ isEncrypted }) => isEncrypted)) return 'encrypted';
  const declared = entries.reduce((sum, { unpackedBytes }) => sum + unpackedBytes, 0);
  if (declared > limits.totalBytes) return 'too_large';
  for (const entry of entries) {
    const fault = checkEntry(archive, entry);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function readDirectory(archive: Buffer, maxEntries: number): ZipEntry[] | ZipFault {
  const end = findEnd(archive);
  if (end === undefined) return 'broken';
  const count = archive.readUInt16LE(end + 10);
  if (count > maxEntries) return 'too_large';
  let at = archive.readUInt32LE(end + 16);
  const entries: ZipEntry[] = [];
  for (let number = 0; number < count; number++) {
    if (at + 46 > archive.length || archive.readUInt32LE(at) !== entrySignature) return 'broken';
    entries.push({
      method: archive.readUInt16LE(at + 10),
      isEncrypted: (archive.readUInt16LE(at + 8) & 1) === 1,
      packedBytes: archive.readUInt32LE(at + 20),
      unpackedBytes: archive.readUInt32LE(at + 24),
      localOffset: archive.readUInt32LE(at + 42),
    });
    at += 46 + archive.readUInt16LE(at + 28) + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return entries;
}

function findEnd(archive: Buffer): number | undefined {
  const earliest = Math.max(0, archive.length - endLength - longestComment);
  for (let at = archive.length - endLength; at >= earliest; at--) {
    if (archive.readUInt32LE(at) === endSignature) return at;
  }
  return undefined;
}

function checkEntry(archive: Buffer, entry: ZipEntry): ZipFault | undefined {
  const { localOffset, packedBytes, unpackedBytes, method } = entry;
  if (localOffset + 30 > archive.length || archive.readUInt32LE(localOffset) !== localSignature) return 'broken';
  const start = localOffset + 30 + archive.readUInt16LE(localOffset + 26) + archive.readUInt16LE(localOffset + 28);
  if (start + packedBytes > archive.length) return 'broken';
  if (method === 0) return packedBytes === unpackedBytes ? undefined : 'broken';
  if (method !== 8) return 'broken';
  try {
    const packed = archive.subarray(start, start + packedBytes);
    const unpacked = inflateRawSync(packed, { maxOutputLength: Math.max(1, unpackedBytes) });
    return unpacked.length === unpackedBytes ? undefined : 'broken';
  } catch (error) {
    return (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : 'broken';
  }
}
