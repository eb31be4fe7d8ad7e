import { StartUpError } from '@memhall/core';
import type { Logger } from 'pino';
import type { Config } from '../config/settings.js';
import { describeError } from '../http/logging.js';
import type { LegacyMemories } from '../ports/legacy-memories.js';
import { connectPostgres } from '../store/connect-postgres.js';
import { LegacyMemoriesTable } from '../store/legacy-memories-table.js';

/** Long, because whole tables are counted and sampled. */
const statementTimeoutMs = 600_000;

export function legacyUrlOf(config: Config): string | undefined {
  return config.legacyDatabaseUrl ?? config.databaseUrl;
}

/** Opens the older store. Throws StartUpError if none is configured, it cannot be reached, or its schema is wrong. */
export async function openLegacy(
  config: Config,
  logger: Logger,
  { writable }: { writable: boolean },
): Promise<LegacyMemories> {
  const url = legacyUrlOf(config);
  if (url === undefined) {
    throw new StartUpError('The older store is not configured. Set MEMORY_LEGACY_DATABASE_URL or DATABASE_URL.');
  }
  const onError = (error: Error) =>
    logger.warn({ error: describeError(error) }, 'lost a connection to the older store');
  const { databasePooler: pooler } = config;
  const { pool } = await connectPostgres({ url, pooler, poolSize: 2, statementTimeoutMs, onError });
  const legacy = new LegacyMemoriesTable(pool, { writable });
  try {
    await legacy.check();
  } catch (error) {
    await legacy.close();
    throw error;
  }
  return legacy;
}
