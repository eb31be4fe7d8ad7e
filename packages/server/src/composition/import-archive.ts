import { stat } from 'node:fs/promises';
import { Problem, StartUpError } from '@memhall/core';
import type { Logger } from 'pino';
import type { Config } from '../config/settings.js';
import type { ArchiveHeader } from '../engine/archive/archive-format.js';
import { type ImportReport, importRecords } from '../engine/archive/import-records.js';
import { readArchive } from '../engine/archive/read-archive.js';
import { verifyRecords } from '../engine/archive/verify-archive.js';
import { logFaults } from '../http/logging.js';
import type { Store } from '../ports/store.js';
import { readLines, spool } from '../providers/archive-input.js';
import { removeAbandoned } from '../providers/temporary-directory.js';
import { errorCode } from '../store/to-problem.js';
import { openKeyWrapper } from './master-key.js';
import { openDatabase, openStore } from './open-database.js';

interface ArchiveImport {
  /** A file, or - for standard input. */
  input: string;
  onProgress(done: number, total: number): void;
}

const derivedDatabase =
  'The documents of this database are derived from Azure Blob Storage, which an import would contradict. Import into a separate database.';

/** Restores an archive. Reads it twice: once to verify all of it before anything is written, and once to import it. */
export async function importArchive(
  config: Config,
  logger: Logger,
  { input, onProgress }: ArchiveImport,
): Promise<ImportReport & { header: ArchiveHeader }> {
  await removeAbandoned(logFaults(logger));
  const source = input === '-' ? await spool(process.stdin) : { path: await checkFile(input), remove: async () => {} };
  try {
    const database = await openDatabase(config, logger, { shareRunning: true });
    try {
      const store = openStore(database);
      if ((await store.artifactOrigin()) !== null) throw new StartUpError(derivedDatabase);
      const { header, total } = await verify(store, config, source.path);
      const { records } = await readArchive(readLines(source.path), store.archiveTypes);
      const report = await importRecords(store, header.tenant, records, (done) => onProgress(done.records, total));
      return { ...report, header };
    } catch (error) {
      throw explain(error);
    } finally {
      await database.close();
    }
  } finally {
    await source.remove();
  }
}

async function verify(store: Store, config: Config, path: string): Promise<{ header: ArchiveHeader; total: number }> {
  const { header, records } = await readArchive(readLines(path), store.archiveTypes);
  if (header.master_key_ids.length > 0) {
    const wrapper = await openKeyWrapper(config);
    if (!header.master_key_ids.every((id) => wrapper.knows(id))) {
      throw new StartUpError(
        'The snapshots in the archive are encrypted with a different master key. Set MEMHALL_MASTER_KEY to the key of this store and MEMHALL_MASTER_KEY_PREVIOUS to the key of the store that the archive comes from. After the import, run `memhall keys rotate` to do without the second key.',
      );
    }
  }
  const erased = await store.inspect(header.tenant, (tables) =>
    tables.receipts.erasedSince(new Date(header.created_at)),
  );
  let total = 0;
  await verifyRecords(records, header.tenant, ({ userId, row }) => {
    total += 1;
    refuseErased(erased, userId ?? row.user_id);
  });
  return { header, total };
}

/** Throws StartUpError if the archive contains data that was erased here after the archive was written. */
function refuseErased(erased: readonly (string | null)[], owner: unknown): void {
  const hit = erased.find((userId) => userId === null || userId === owner);
  if (hit === undefined) return;
  const subject = hit === null ? 'The tenant' : `User ${hit}`;
  throw new StartUpError(
    `${subject} was erased here after the archive was written. Importing it would restore erased data. Export the other users separately from the original store, and import those archives.`,
  );
}

async function checkFile(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) throw new StartUpError(`The file ${path} does not exist.`);
  return path;
}

/** Turns errors that the user can fix into a StartUpError. */
function explain(error: unknown): unknown {
  if (error instanceof Problem && error.code !== 'INTERNAL') return new StartUpError(error.message, { cause: error });
  if (errorCode(error) !== '42501') return error;
  return new StartUpError(
    'The database user lacks the permission to import. Grant it the role memhall_importer, or import as the user that runs migrations.',
    { cause: error },
  );
}
