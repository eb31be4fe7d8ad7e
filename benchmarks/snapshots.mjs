#!/usr/bin/env node
// Measures how long a large snapshot keeps the server from answering others.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { signToken } from '../packages/server/dist/cli/sign-token.js';
import { startMemhall } from './support/memhall-server.mjs';
import { onEachDatabase } from './support/on-each-database.mjs';
import { describeMachine, round, toTable, writeResult } from './support/report.mjs';

const help = `Measure how long snapshots of 25 MiB keep other requests waiting.

While a snapshot is stored, replayed and read again, another connection calls GET /health without a pause. The longest of these calls
is how long the server was busy with one thing.

  npm run build && node benchmarks/snapshots.mjs

  --rounds <n>         snapshots of each shape, default 3
  --database <embedded|postgres|both>  default both
`;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    database: { type: 'string', default: 'both' },
    help: { type: 'boolean', short: 'h' },
  },
});
const tenant = 'benchmark';
const mebibyte = 2 ** 20;
const bodyBytes = 24.9 * mebibyte;

/** @type {Record<string, () => object>} */
const shapes = {
  'one message': () => ({ messages: [{ id: 'm', role: 'user', content: text(bodyBytes) }] }),
  '10,000 messages': () => ({
    messages: Array.from({ length: 10_000 }, (_, number) => ({
      id: `m${number}`,
      role: number % 2 === 0 ? 'user' : 'assistant',
      content: text(bodyBytes / 10_000 - 50),
    })),
  }),
  'random letters': () => ({
    messages: [{ id: 'm', role: 'assistant', content: randomBytes((bodyBytes / 4) * 3 - 1000).toString('base64') }],
  }),
  'empty parts': () => ({
    messages: Array.from({ length: 1000 }, (_, number) => ({
      id: `m${number}`,
      role: 'user',
      content: Array.from({ length: (bodyBytes - 100_000) / 1000 / 26 }, () => ({ type: 'text', text: '' })),
    })),
  }),
  'refused: no messages': () => ({ messages: Array.from({ length: bodyBytes / 3 }, () => []) }),
};

if (values.help) console.log(help);
else await run();

async function run() {
  const kinds = /** @type {import('./support/options.mjs').DatabaseKind[]} */ (
    values.database === 'both' ? ['embedded', 'postgres'] : [values.database]
  );
  await onEachDatabase(kinds, measure, report);
}

/** @param {Awaited<ReturnType<typeof measure>>[]} results */
function report(results) {
  const head = [
    'database',
    'body',
    'status',
    'stored s',
    'longest wait ms',
    'replayed s',
    'longest wait ms',
    'read s',
    'longest wait ms',
  ];
  const lines = results.flatMap(({ database, shapes }) =>
    shapes.map(({ shape, status, steps }) => [
      database,
      shape,
      String(status),
      ...steps.flatMap(({ seconds, longestMs }) => [String(seconds), String(longestMs)]),
    ]),
  );
  console.log(`\n${toTable(head, lines)}\n`);
  const date = new Date().toISOString().slice(0, 10);
  const settings = { rounds: Number(values.rounds) };
  console.log(
    `Written to ${writeResult('snapshots', { benchmark: 'snapshots', date, machine: describeMachine(), settings, results })}`,
  );
}

/** @param {import('./support/on-each-database.mjs').Place} place */
async function measure({ database, databaseUrl, cleanups }) {
  const directory = mkdtempSync(join(tmpdir(), 'memhall-benchmark-'));
  cleanups.add(async () => rmSync(directory, { recursive: true, force: true }));
  const jwtSecret = randomBytes(32).toString('hex');
  const memhall = await startMemhall({ directory, databaseUrl, jwtSecret, profileDirectory: undefined });
  cleanups.add(memhall.stop);
  const token = await signToken(jwtSecret, { tenant, user: 'sender', roles: ['admin'], ttlSeconds: 24 * 3600 });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const results = [];
  for (const [shape, build] of Object.entries(shapes)) {
    const body = Buffer.from(JSON.stringify({ profile_id: 'project-copilot-v1', ...build() }));
    let status = 0;
    /** @type {{ seconds: number, longestMs: number }[][]} */
    const rounds = [];
    for (let number = 0; number < Number(values.rounds); number++) {
      const user = `${memhall.url}/v1/tenants/${tenant}/users/user-${number}`;
      const conversation = `${user}/conversations/c-${number}/snapshots`;
      /** @type {any} */
      let taken;
      const stored = await watched(memhall.url, async () => {
        const answer = await fetch(conversation, { method: 'POST', headers, body });
        status = answer.status;
        taken = await answer.json();
      });
      if (status !== 202) {
        rounds.push([stored]);
        continue;
      }
      const replayed = await watched(memhall.url, async () => {
        for (;;) {
          const answer = await fetch(`${user}/replays/${taken.replay_id}`, { headers });
          const { status: state } = /** @type {{ status: string }} */ (await answer.json());
          if (state === 'completed') return;
          if (state === 'failed') throw new Error('the replay failed');
          await sleep(20);
        }
      });
      const read = await watched(memhall.url, async () => {
        const answer = await fetch(`${conversation}/${taken.snapshot_id}`, { headers });
        await answer.arrayBuffer();
      });
      rounds.push([stored, replayed, read]);
    }
    const steps = (rounds[0] ?? []).map((_, step) => ({
      seconds: round(Math.max(...rounds.map((one) => one[step]?.seconds ?? 0)), 2),
      longestMs: Math.round(Math.max(...rounds.map((one) => one[step]?.longestMs ?? 0))),
    }));
    results.push({ shape, status, steps });
  }
  return { database, shapes: results };
}

/**
 * Does something while another connection asks for the health without a pause.
 * @param {string} url
 * @param {() => Promise<void>} work
 */
async function watched(url, work) {
  let longestMs = 0;
  let done = false;
  const asking = (async () => {
    while (!done) {
      const startedMs = performance.now();
      await (await fetch(`${url}/health`)).arrayBuffer();
      longestMs = Math.max(longestMs, performance.now() - startedMs);
    }
  })();
  const startedMs = performance.now();
  await work();
  const seconds = (performance.now() - startedMs) / 1000;
  done = true;
  await asking;
  return { seconds, longestMs };
}

/** @param {number} length */
function text(length) {
  const words = 'the quick brown fox and I decided to use PostgreSQL for storage in Lisbon with Eva'.split(' ');
  const chosen = [];
  for (let size = 0; size < length - 12; ) {
    const word = words[Math.floor(Math.random() * words.length)] ?? '';
    chosen.push(word);
    size += word.length + 1;
  }
  return chosen.join(' ');
}
