import type { ArchiveType } from '../../ports/archive.js';
import type { ArtifactStore } from '../../ports/artifact-store.js';
import { pieceBytes } from '../../ports/resource-files.js';
import type { TenantReader } from '../../ports/store.js';

const rowsAtATime = 100;

/** Record types for the metadata of a file and for its bytes. */
interface FileTypes {
  resource: ArchiveType;
  piece: ArchiveType;
}

/**
 * Yields lines for a user's files in an outer store, in the same format as for files in the database. Skips a file
 * whose removal is in progress; the export fails with CONFLICT if a file is removed while it is read.
 */
export async function* exportFiles(
  reader: TenantReader,
  { resource, piece }: FileTypes,
  { files, tenantId, userId }: { files: ArtifactStore; tenantId: string; userId: string },
): AsyncGenerator<string> {
  for (let after: readonly string[] | undefined; ; ) {
    const page = { userId, after, limit: rowsAtATime };
    const rows = await reader.read((tables) => tables.archive.page(resource, page));
    for (const { key } of rows) {
      const [resourceId = ''] = key;
      if (await hasRows(reader, piece, userId, resourceId)) continue;
      const pieces = await files.openFile({ tenantId, userId }, resourceId, pieceBytes);
      if (pieces !== undefined) yield* toLines(piece, { userId, resourceId }, pieces);
    }
    if (rows.length < rowsAtATime) return;
    after = rows.at(-1)?.key;
  }
}

async function hasRows(reader: TenantReader, piece: ArchiveType, userId: string, resourceId: string): Promise<boolean> {
  const page = { userId, after: [resourceId, '-1'], limit: 1 };
  const [first] = await reader.read((tables) => tables.archive.page(piece, page));
  return first?.key[0] === resourceId;
}

async function* toLines(
  { name }: ArchiveType,
  { userId, resourceId }: { userId: string; resourceId: string },
  pieces: AsyncIterable<Buffer>,
): AsyncGenerator<string> {
  let number = 0;
  for await (const piece of pieces) {
    const bytes = `\\x${piece.toString('hex')}`;
    yield JSON.stringify({ type: name, user_id: userId, resource_id: resourceId, number: number++, bytes });
  }
}
