import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { StartUpError } from '@memhall/core';
import type { Logger } from 'pino';
import type { Config } from '../config/settings.js';
import { type BackupReport, backUpEmbedded } from '../store/back-up-embedded.js';
import { openDatabase } from './open-database.js';

const secretFiles = ['jwt-secret', 'master-key', 'master-key.previous', 'audit-key'];

/** Copies the embedded database and, if wanted, the secrets beside it. Can share the database of a running server. */
export async function backUp(
  config: Config,
  logger: Logger,
  { target, withSecrets }: { target: string; withSecrets: boolean },
): Promise<BackupReport & { secrets: string[] }> {
  const { dataDirectory, databaseUrl } = config;
  if (databaseUrl !== undefined) {
    throw new StartUpError(
      'memhall backup copies the embedded database. Use pg_basebackup or pg_dump for PostgreSQL: see docs/operate/deploy.md.',
    );
  }
  if (!existsSync(join(dataDirectory, 'postgres'))) {
    throw new StartUpError(`There is no database in ${dataDirectory}: choose another directory with --data.`);
  }
  const secrets = withSecrets ? secretFiles.filter((name) => existsSync(join(dataDirectory, name))) : [];
  const database = await openDatabase({ ...config, migrate: false }, logger, { shareRunning: true });
  try {
    return { ...(await backUpEmbedded(database.pool, { dataDirectory, target, secrets })), secrets };
  } finally {
    await database.close();
  }
}
