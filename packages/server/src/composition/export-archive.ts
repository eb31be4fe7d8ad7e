import { StartUpError } from '@memhall/core';
import type { Logger } from 'pino';
import type { Config } from '../config/settings.js';
import { type ArchiveHeader, ArchiveTally, archiveFormat, archiveVersion } from '../engine/archive/archive-format.js';
import { countRecords, type ExportRequest, exportTenant } from '../engine/archive/export-tenant.js';
import { logFaults } from '../http/logging.js';
import type { ArtifactStore } from '../ports/artifact-store.js';
import type { Store } from '../ports/store.js';
import {
  type ArchiveOutput,
  openFileOutput,
  openSpooledOutput,
  openStreamOutput,
} from '../providers/archive-output.js';
import { removeAbandoned } from '../providers/temporary-directory.js';
import { checkArtifactOrigin, openArtifactStore } from './open-artifact-store.js';
import { openDatabase, openStore } from './open-database.js';
import { version } from './version.js';

interface ArchiveExport extends ExportRequest {
  /** A file, or - for standard output. */
  output: string;
  onProgress(done: number, total: number): void;
}

/** Writes an archive of a tenant or user. Returns the number of records. Throws StartUpError if there is no data. */
export async function exportArchive(config: Config, logger: Logger, wanted: ArchiveExport): Promise<number> {
  await removeAbandoned(logFaults(logger));
  const database = await openDatabase(config, logger, { shareRunning: true });
  try {
    const store = openStore(database);
    const total = await countRecords(store, wanted);
    if (total === 0) {
      const user = wanted.userId === undefined ? '' : `user ${wanted.userId} of `;
      throw new StartUpError(
        `There is no data of ${user}tenant ${wanted.tenantId} in this store. Check the id and the database.`,
      );
    }
    const files = await openFiles(config, store);
    const output = await openOutput(wanted.output, database.kind === 'postgres');
    try {
      const records = await writeArchive(store, wanted, output, { total, files });
      await output.finish();
      return records;
    } catch (error) {
      await output.abandon();
      throw error;
    }
  } finally {
    await database.close();
  }
}

/**
 * Opens the store that holds the files of resources; null if they are in the database. Throws StartUpError if the
 * configured store is not the one that this database is derived from.
 */
async function openFiles(config: Config, store: Store): Promise<ArtifactStore | null> {
  if ((await store.artifactOrigin()) === null) return null;
  const files = await openArtifactStore(config);
  await checkArtifactOrigin(config, store, files, true);
  return files;
}

/** Opens a file, or standard output for `-`, which is written to at the end unless nothing has to be taken back. */
export function openOutput(output: string, isNeverRewound: boolean): Promise<ArchiveOutput> {
  if (output !== '-') return openFileOutput(output);
  return isNeverRewound ? Promise.resolve(openStreamOutput(process.stdout)) : openSpooledOutput(process.stdout);
}

async function writeArchive(
  store: Store,
  { tenantId, userId, onProgress }: ArchiveExport,
  output: ArchiveOutput,
  { total, files }: { total: number; files: ArtifactStore | null },
): Promise<number> {
  const header: ArchiveHeader = {
    format: archiveFormat,
    version: archiveVersion,
    created_at: new Date().toISOString(),
    memhall: version,
    tenant: tenantId,
    ...(userId === undefined ? {} : { user: userId }),
    master_key_ids: await store.inspect(tenantId, (tables) => tables.archive.masterKeyIds()),
  };
  let tally = new ArchiveTally();
  const write = (line: string, type?: string) => {
    tally.add(line, type);
    return output.write(line);
  };
  await write(JSON.stringify(header));
  let section = { size: output.size, tally };
  for await (const step of exportTenant(store, { tenantId, userId }, files)) {
    if (step.step === 'record') {
      await write(step.line, step.type);
      onProgress(Math.min(tally.records, total), total);
    } else if (step.step === 'section') {
      section = { size: output.size, tally: new ArchiveTally(tally) };
    } else {
      await output.rewind(section.size);
      tally = new ArchiveTally(section.tally);
    }
  }
  await output.write(JSON.stringify(tally.footer()));
  return tally.records;
}
