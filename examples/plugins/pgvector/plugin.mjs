// A memory plugin v1 on pgvector. It finds memories only by vectors, which its host computes.
//
//   node examples/plugins/pgvector/plugin.mjs --port 9100 --database postgres://localhost/app --schema memory_plugin
//
// The address of the database can also be in DATABASE_URL. The plugin creates its own schema and uses nothing else in
// the database, which needs the extension vector 0.5 or newer. Any number of processes may share a schema. It listens
// only on this machine and requires the token in PLUGIN_TOKEN, if set.
import { parseArgs } from 'node:util';
import { servePlugin } from '../flat-file/serve.mjs';
import { VectorStore } from './vector-store.mjs';

const capabilities = ['embedding', 'ttl', 'pin', 'propagation'];
const text = /** @type {const} */ ({ type: 'string' });
const { values } = parseArgs({ options: { database: text, schema: text, port: text, socket: text } });
const { database = process.env.DATABASE_URL, schema = 'memory_plugin', ...place } = values;
if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) throw new Error('--schema must be a plain lower-case name.');
const store = await VectorStore.open(database, schema);
servePlugin(store, { capabilities, ...place }).once('close', () => store.close());
