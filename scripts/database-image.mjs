import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Writes a migrated database without content, so that a first start neither creates one nor migrates it. Does nothing if
 * the present one was made from the same sources.
 */
const server = fileURLToPath(new URL('../packages/server/', import.meta.url));
const directory = join(server, 'database');
const require = createRequire(import.meta.url);

const { readMigrations } = await import('../packages/server/dist/store/migrations.js');
const { imageName, packImage } = await import('../packages/server/dist/store/database-image.js');
const { jobNames } = await import('../packages/server/dist/jobs/jobs.js');

const migrations = await readMigrations();
const path = join(directory, imageName(migrations));
const stamp = join(directory, 'made-from');
const sources = [
  ...[
    'scripts/database-image.mjs',
    'packages/server/src/store/content-statistics.ts',
    'packages/server/src/store/database-image.ts',
  ].map((source) => fileURLToPath(new URL(`../${source}`, import.meta.url))),
  ...['@electric-sql/pglite', '@electric-sql/pglite-pgvector', 'pg-boss'].map(manifestOf),
].map((source) => readFileSync(source, 'utf8'));
const madeFrom = createHash('sha256')
  .update(JSON.stringify([sources, imageName(migrations), jobNames]))
  .digest('hex');

if (!existsSync(path) || !existsSync(stamp) || readFileSync(stamp, 'utf8') !== madeFrom) {
  rmSync(directory, { recursive: true, force: true });
  const image = await makeImage();
  mkdirSync(directory);
  writeFileSync(`${path}.new`, image);
  renameSync(`${path}.new`, path);
  writeFileSync(stamp, madeFrom);
}

/** @param {string} name @returns {string} */
function manifestOf(name) {
  const found = (require.resolve.paths(name) ?? []).map((parent) => join(parent, name, 'package.json'));
  const manifest = found.find((candidate) => existsSync(candidate));
  if (manifest === undefined) throw new Error(`${name} is not installed`);
  return manifest;
}

/** Migrating is what creates the embedded database, and it is shut down afterwards. */
async function makeImage() {
  const { migrateDatabase } = await import('../packages/server/dist/composition/open-database.js');
  const { readConfig } = await import('../packages/server/dist/config/read-config.js');
  const { createLogger } = await import('../packages/server/dist/http/logging.js');
  const dataDirectory = mkdtempSync(join(tmpdir(), 'memhall-image-'));
  try {
    await migrateDatabase(readConfig({ dataDirectory }, {}), createLogger('warn'), false);
    return packImage(join(dataDirectory, 'postgres'));
  } finally {
    rmSync(dataDirectory, { recursive: true, force: true });
  }
}
