#!/usr/bin/env node
// Measures searches in sessions on disk.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { FileSessionStore } from '../packages/agent/dist/index.js';

const help = `Measure the CPU time of a search in session files: the first one of all, which builds the index, the first one of
a process, which loads it, a later one, and one after an append.

  npm run build && node benchmarks/session-search.mjs [options]

  --sessions <n>   number of sessions, default 300
  --messages <n>   messages in each, default 60
`;

const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '300' },
    messages: { type: 'string', default: '60' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(help);
  process.exit(0);
}

const directory = mkdtempSync(join(tmpdir(), 'memhall-sessions-'));
let seed = 1;
const random = () => {
  seed = (seed * 16_807) % 2_147_483_647;
  return seed / 2_147_483_647;
};
/** @param {number} n */
const word = (n) => `w${((n * 2_654_435_761) % 4_294_967_296).toString(36)}`;
const sentence = () =>
  Array.from({ length: 20 + random() * 120 }, () => word(Math.floor(random() ** 2 * 8000))).join(' ');

/** @param {number} session @param {number} n */
function toLine(session, n) {
  const payload = { role: n % 2 === 0 ? 'user' : 'assistant', content: `${sentence()}.` };
  const at = new Date(1.7e12 + session * 1e6 + n * 1000).toISOString();
  return `${JSON.stringify({ id: `${session}-${n}`, run_id: `${session}`, at, type: 'message', context_visible: true, payload })}\n`;
}

/** @param {string} name @param {FileSessionStore} store */
async function measure(name, store) {
  const before = process.cpuUsage();
  const matches = await store.search({ text: `${word(7990)} ${word(5)}`, limit: 5 });
  const { user, system } = process.cpuUsage(before);
  process.stdout.write(
    `${name.padEnd(20)} ${((user + system) / 1000).toFixed(0).padStart(6)} ms, ${matches.length} matches\n`,
  );
}

try {
  let bytes = 0;
  for (let session = 0; session < Number(values.sessions); session++) {
    const text = Array.from({ length: Number(values.messages) }, (_, n) => toLine(session, n)).join('');
    bytes += text.length;
    writeFileSync(join(directory, `s${session}.jsonl`), text);
  }
  process.stdout.write(`${values.sessions} sessions, ${(bytes / 1e6).toFixed(1)} MB\n`);
  // Files that changed in the last two seconds are compared again.
  const now = () => Date.now() + 10_000;
  await measure('first of all', new FileSessionStore(directory, { now }));
  const store = new FileSessionStore(directory, { now });
  await measure('first of a process', store);
  await measure('later', store);
  await store.append('s0', [JSON.parse(toLine(0, 1000))]);
  await measure('after an append', store);
} finally {
  rmSync(directory, { recursive: true });
}
