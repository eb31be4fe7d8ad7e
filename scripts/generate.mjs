// Generates all files that are derived from the code: `npm run generate`. With --check it only reports stale files.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openDatabase } from '../packages/server/dist/composition/open-database.js';
import { apiInfo, mainSurfaces, pluginInfo, pluginSurfaces } from '../packages/server/dist/composition/surfaces.js';
import { toConfigSchema } from '../packages/server/dist/config/config-schema.js';
import { readConfig } from '../packages/server/dist/config/read-config.js';
import { createLogger } from '../packages/server/dist/http/logging.js';
import { toOpenApi } from '../packages/server/dist/http/openapi.js';
import { describeSchema } from '../packages/server/dist/store/describe-schema.js';
import { toArchitecture } from './generate/architecture.mjs';
import { toOperationsModule } from './generate/client-operations.mjs';
import { toPythonModels, toSynchronous } from './generate/python-client.mjs';
import {
  toApiReference,
  toCommandReference,
  toConfigReference,
  toErrorReference,
  toKindReference,
  toMemoryToolReference,
} from './generate/reference.mjs';

const root = new URL('../', import.meta.url);
const check = process.argv.includes('--check');

const mainApi = await toOpenApi(mainSurfaces, apiInfo);
const python = toPythonModels(mainApi);
const pluginApi = await toOpenApi(pluginSurfaces, pluginInfo);

/** @type {Record<string, string>} */
const files = {
  'ARCHITECTURE.md': toArchitecture(readIfThere('ARCHITECTURE.md') ?? ''),
  'docs/reference/openapi.json': `${JSON.stringify(mainApi, null, 2)}\n`,
  'docs/reference/openapi-plugin.json': `${JSON.stringify(pluginApi, null, 2)}\n`,
  'docs/reference/api.md': toApiReference([...mainSurfaces, ...pluginSurfaces]),
  'docs/reference/config.md': toConfigReference(),
  'docs/reference/config.schema.json': `${JSON.stringify(toConfigSchema(), null, 2)}\n`,
  'docs/reference/cli.md': await toCommandReference(),
  'docs/reference/errors.md': toErrorReference(),
  'docs/reference/kinds.md': toKindReference(),
  'docs/reference/memory-tool.md': toMemoryToolReference(),
  'packages/client/src/generated/operations.ts': await toOperationsModule(mainApi),
  'clients/python/src/memhall/_models.py': python.models,
  'clients/python/src/memhall/_operations.py': python.operations,
};
for (const name of readdirSync(new URL('clients/python/src/memhall/_async/', root)).filter((one) =>
  one.endsWith('.py'),
)) {
  const source = readFileSync(new URL(`clients/python/src/memhall/_async/${name}`, root), 'utf8');
  files[`clients/python/src/memhall/_sync/${name}`] = toSynchronous(source);
}
// The schema needs a database. A test compares it on both databases, so --check skips it.
if (!check) files['packages/server/migrations/schema.txt'] = await readSchema();

const stale = Object.entries(files).filter(([path, text]) => readIfThere(path) !== text);
if (check) {
  for (const [path] of stale) console.error(`${path} is stale: run npm run generate`);
  process.exitCode = stale.length === 0 ? 0 : 1;
} else {
  for (const [path, text] of stale) {
    const target = new URL(path, root);
    mkdirSync(dirname(target.pathname), { recursive: true });
    writeFileSync(target, text);
  }
}
console.log(`Generated files: ${Object.keys(files).length}, ${stale.length} ${check ? 'stale' : 'written'}.`);

/** @param {string} path */
function readIfThere(path) {
  try {
    return readFileSync(new URL(path, root), 'utf8');
  } catch {
    return undefined;
  }
}

async function readSchema() {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'memhall-generate-'));
  const database = await openDatabase(readConfig({ dataDirectory }, {}), createLogger('silent'));
  try {
    return await describeSchema(database.pool);
  } finally {
    await database.close();
    rmSync(dataDirectory, { recursive: true });
  }
}
