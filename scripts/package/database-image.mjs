import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { migrateDatabase } from '../../packages/server/dist/composition/open-database.js';
import { readConfig } from '../../packages/server/dist/config/read-config.js';
import { createLogger } from '../../packages/server/dist/http/logging.js';

/**
 * Writes a migrated database without content, so that a first start neither creates one nor migrates it.
 * @param {string} path
 */
export async function writeDatabaseImage(path) {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'memhall-image-'));
  try {
    await migrateDatabase(readConfig({ dataDirectory }, {}), createLogger('warn'), false);
    const database = await PGlite.create({ dataDir: join(dataDirectory, 'postgres'), extensions: { vector } });
    const image = await database.dumpDataDir('gzip');
    writeFileSync(path, Buffer.from(await image.arrayBuffer()));
    await database.close();
  } finally {
    rmSync(dataDirectory, { recursive: true, force: true });
  }
}
