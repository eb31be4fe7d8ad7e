import type { Logger } from 'pino';
import type { Config } from '../config/settings.js';
import { type CompactOptions, type CompactReport, compactDatabase } from '../store/compact-database.js';
import { openDatabase } from './open-database.js';

/** Rewrites the files of the database without removed data. Can share the embedded database of a running server. */
export async function compact(config: Config, logger: Logger, options: CompactOptions): Promise<CompactReport> {
  const database = await openDatabase(config, logger, { shareRunning: true });
  try {
    return await compactDatabase(database, options);
  } finally {
    await database.close();
  }
}
