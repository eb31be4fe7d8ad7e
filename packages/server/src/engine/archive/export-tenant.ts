import type { ArchiveRow, ArchiveType } from '../../ports/archive.js';
import type { ArtifactStore } from '../../ports/artifact-store.js';
import { workspaceOwner } from '../../ports/owners.js';
import type { Store, TenantReader } from '../../ports/store.js';
import { firstPageSize, nextPageSize } from '../next-page-size.js';
import { exportFiles } from './export-files.js';

export interface ExportRequest {
  tenantId: string;
  /** Absent for the whole tenant. */
  userId?: string | undefined;
}

type ExportStep =
  | { step: 'record'; type: string; line: string }
  /** Starts a group of records that belong together. */
  | { step: 'section' }
  /** The section changed while it was read: drop its records, they follow again. */
  | { step: 'again' };

/** Maximum number of rows per read; fewer if the rows are long. */
const maxRows = 128;

/** How often a section is read while others write. After that, writers wait. */
const freeAttempts = 3;

/**
 * Exports all data of a tenant, or of one user, in the order in which it can be restored. If holding a state blocks
 * nobody, the whole export is one consistent state. Otherwise each section is consistent in itself: first the tenant's
 * own data, then each user. `files` is the outer store, if there is one.
 */
export async function* exportTenant(
  store: Store,
  request: ExportRequest,
  files: ArtifactStore | null = null,
): AsyncGenerator<ExportStep> {
  const reader = store.openReader(request.tenantId);
  try {
    if (reader.holdsFreely) await reader.hold();
    const typesOf = (of: ArchiveType['of']) => store.archiveTypes.filter((type) => type.of === of);
    yield* exportSection(reader, typesOf('tenant'), request.userId, null);
    const userTypes = typesOf('user');
    for await (const userId of usersOf(reader, request)) {
      const outside = () => exportOutside(reader, userTypes, { ...request, userId, files });
      yield* exportSection(reader, userTypes, userId, userId, outside);
    }
  } finally {
    await reader.release();
  }
}

/**
 * Yields '' first: the tenant's own audit chain is stored as that of a user without a name. The workspace named after a user is
 * exported with the user unless others wrote to it.
 */
async function* usersOf(reader: TenantReader, { userId }: ExportRequest): AsyncGenerator<string> {
  if (userId !== undefined) {
    yield userId;
    if (await reader.read((tables) => tables.erasure.isAloneInWorkspace(userId))) yield workspaceOwner(userId);
    return;
  }
  for (let next: string | undefined = ''; next !== undefined; ) {
    yield next;
    const after: string = next;
    next = await reader.read((tables) => tables.archive.nextUser(after));
  }
}

/** `userId` limits the rows; `owner` is the user whose changes are detected, null for the tenant. */
async function* exportSection(
  reader: TenantReader,
  types: readonly ArchiveType[],
  userId: string | undefined,
  owner: string | null,
  outside: () => AsyncIterable<ExportStep> = nothing,
): AsyncGenerator<ExportStep> {
  const fingerprint = () => reader.read((tables) => tables.archive.fingerprint(owner));
  yield { step: 'section' };
  for (let attempt = 1; ; attempt++) {
    const last = attempt > freeAttempts && !reader.holdsFreely;
    if (last) await reader.hold();
    const before = await fingerprint();
    for (const type of types) yield* exportType(reader, type, userId);
    yield* outside();
    const isUnchanged = (await fingerprint()) === before;
    if (last) await reader.release();
    if (isUnchanged) return;
    yield { step: 'again' };
  }
}

async function* nothing(): AsyncGenerator<ExportStep> {}

/** Exports a user's data outside the database: the files of resources. */
async function* exportOutside(
  reader: TenantReader,
  types: readonly ArchiveType[],
  { files, tenantId, userId }: { files: ArtifactStore | null; tenantId: string; userId: string },
): AsyncGenerator<ExportStep> {
  const resource = types.find(({ name }) => name === 'resource');
  const piece = types.find(({ name }) => name === 'resource_piece');
  if (files === null || resource === undefined || piece === undefined) return;
  for await (const line of exportFiles(reader, { resource, piece }, { files, tenantId, userId })) {
    yield { step: 'record', type: piece.name, line };
  }
}

async function* exportType(
  reader: TenantReader,
  type: ArchiveType,
  userId: string | undefined,
): AsyncGenerator<ExportStep> {
  let limit = firstPageSize;
  for (let after: readonly string[] | undefined; ; ) {
    const page = { userId, after, limit };
    const rows = await reader.read((tables) => tables.archive.page(type, page));
    for (const { line } of rows) yield { step: 'record', type: type.name, line };
    if (rows.length < limit) return;
    after = rows.at(-1)?.key;
    limit = nextPageSize({ size: limit, chars: charsOf(rows), most: maxRows });
  }
}

function charsOf(rows: readonly ArchiveRow[]): number {
  return rows.reduce((sum, { line }) => sum + line.length, 0);
}

/** Returns the number of records an export would have now. */
export function countRecords(store: Store, { tenantId, userId }: ExportRequest): Promise<number> {
  return store.inspect(tenantId, (tables) => tables.archive.count(userId));
}
