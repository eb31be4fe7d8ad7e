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
  'The documents of this database come from a blob store, which an import would contradict: import into a database of its own.';

/** Restores an archive. It is read twice: to its end before anything is written, and then once more. */
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
        'The snapshots in the archive are locked with another master key than this one. Set MEMHALL_MASTER_KEY to your own and MEMHALL_MASTER_KEY_PREVIOUS to the one of the place it comes from; `memhall keys rotate` makes the latter needless.',
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

/** What was forgotten since must not come back by an older archive. */
function refuseErased(erased: readonly (string | null)[], owner: unknown): void {
  const hit = erased.find((userId) => userId === null || userId === owner);
  if (hit === undefined) return;
  const whose = hit === null ? 'The tenant' : `User ${hit}`;
  throw new StartUpError(
    `${whose} was erased here after the archive was made: importing it would bring back what was forgotten. Export the other users from where it came from, one by one, and import those.`,
  );
}

async function checkFile(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) throw new StartUpError(`There is no file ${path}.`);
  return path;
}

/** What a person can mend is told in a sentence. */
function explain(error: unknown): unknown {
  if (error instanceof Problem && error.code !== 'INTERNAL') return new StartUpError(error.message, { cause: error });
  if (errorCode(error) !== '42501') return error;
  return new StartUpError(
    'The database user may not import: have an administrator grant it the role memhall_importer, or import as the user who migrates.',
    { cause: error },
  );
}
