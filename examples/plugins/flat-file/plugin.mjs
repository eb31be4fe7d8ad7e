// A memory plugin v1 that stores everything in one file, without dependencies.
//
//   node examples/plugins/flat-file/plugin.mjs --port 9100 --file memories.jsonl
//   node examples/plugins/flat-file/plugin.mjs --socket /run/plugin.sock --file memories.jsonl
//
// It listens only on this machine and requires the token in PLUGIN_TOKEN, if set. Only one process may use the file.
import { parseArgs } from 'node:util';
import { MemoryStore } from './memory-store.mjs';
import { servePlugin } from './serve.mjs';

const text = /** @type {const} */ ({ type: 'string' });
const { values } = parseArgs({ options: { file: text, port: text, socket: text } });
const store = new MemoryStore(values.file ?? 'memories.jsonl');
servePlugin(store, { capabilities: ['embedding', 'fts', 'ttl', 'pin', 'propagation'], ...values });
