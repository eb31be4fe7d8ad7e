// Writes what a version leaves on both databases, for packages/server/test/upgrade.test.ts: node write-upgrade-data.mjs <url of an empty database>
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { openMemhall, version } from '../../packages/server/dist/index.js';

const databaseUrl = process.argv[2] ?? '';
const directory = fileURLToPath(new URL(`../../packages/server/test-data/releases/${version}`, import.meta.url));

/** @param {string} name @param {Buffer} content */
function write(name, content) {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    // The window covers the three databases of a cluster, which are almost alike.
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  writeFileSync(`${directory}/${name}`, brotliCompressSync(content, { params }));
  console.log(`${name}: ${readFileSync(`${directory}/${name}`).length} bytes`);
}

/** @param {string} program @param {string[]} parameters */
function read(program, ...parameters) {
  return execFileSync(program, parameters, { maxBuffer: 1e9 });
}

/** @param {{ databaseUrl?: string }} where */
async function store(where) {
  const memhall = await openMemhall({ ...where, dataDirectory: directory, embedder: 'none' });
  const memory = memhall.as({ user: 'me' });
  await memory.remember({ content: 'I take my tea without milk.', externalId: 'tea' });
  await memory.remember({ content: 'I take my tea with lemon.', externalId: 'tea' });
  await memory.remember('I live in Bergen.');
  await memory.facts.put({ subject: 'me', attribute: 'works at', value: 'the harbour' });
  await memhall.close();
}

mkdirSync(directory, { recursive: true });
await store({ databaseUrl });
write('postgres.sql.br', read('pg_dump', '--no-owner', '--dbname', databaseUrl));
await store({});
write('embedded.tar.br', read('tar', '--create', '--sort=name', '--directory', directory, 'postgres'));
for (const name of ['postgres', 'holder']) rmSync(`${directory}/${name}`, { recursive: true, force: true });
