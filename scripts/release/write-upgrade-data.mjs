// Writes what a version leaves in PostgreSQL, for packages/server/test/upgrade.test.ts: node write-upgrade-data.mjs <url of an empty database>
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { openMemhall, version } from '../../packages/server/dist/index.js';

const databaseUrl = process.argv[2] ?? '';
const directory = fileURLToPath(new URL('../../packages/server/test-data/releases/', import.meta.url));
const dataDirectory = `${directory}${version}`;
mkdirSync(dataDirectory, { recursive: true });
const memhall = await openMemhall({ databaseUrl, dataDirectory, embedder: 'none' });
const memory = memhall.as({ user: 'me' });
await memory.remember({ content: 'I take my tea without milk.', externalId: 'tea' });
await memory.remember({ content: 'I take my tea with lemon.', externalId: 'tea' });
await memory.remember('I live in Bergen.');
await memory.facts.put({ subject: 'me', attribute: 'works at', value: 'the harbour' });
await memhall.close();
const dump = execFileSync('pg_dump', ['--no-owner', '--dbname', databaseUrl], { maxBuffer: 1e9 });
writeFileSync(`${dataDirectory}/postgres.sql.gz`, gzipSync(dump, { level: 9 }));
console.log(`${dataDirectory}: ${readFileSync(`${dataDirectory}/postgres.sql.gz`).length} bytes`);
