#!/usr/bin/env node
// Measures the time until a submitted conversation is replayed, when many arrive at once.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { signToken } from '../packages/server/dist/cli/sign-token.js';
import { startMemhall } from './support/memhall-server.mjs';
import { onEachDatabase } from './support/on-each-database.mjs';
import { Progress } from './support/progress.mjs';
import { describeMachine, round, toTable, writeResult } from './support/report.mjs';

const help = `Measure the time from submitting a conversation until its replay is done.

All conversations are submitted as fast as the server accepts them.

  npm run build && node benchmarks/replays.mjs

  --conversations <n>  number of conversations, default 2000, with eight messages each
  --users <n>          number of users, default 200; replays of one user are serialized
  --senders <n>        number of concurrent senders, default 8
  --database <embedded|postgres|both>  default both

The goal is that 99 of 100 are done within five minutes.
`;

const { values } = parseArgs({
  options: {
    conversations: { type: 'string', default: '2000' },
    users: { type: 'string', default: '200' },
    senders: { type: 'string', default: '8' },
    database: { type: 'string', default: 'both' },
    help: { type: 'boolean', short: 'h' },
  },
});
const tenant = 'benchmark';
const goalSeconds = 300;

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
  const lines = results.map((result) => [
    result.database,
    ...[result.takenPerSecond, result.donePerSecond, result.p50Seconds, result.p99Seconds, result.maxSeconds].map(
      String,
    ),
    String(result.failed),
  ]);
  const head = ['database', 'taken/s', 'done/s', 'p50 s', 'p99 s', 'longest s', 'failed'];
  console.log(`\n${toTable(head, lines)}\n\nGoal: p99 under ${goalSeconds} s.`);
  const date = new Date().toISOString().slice(0, 10);
  const settings = { conversations: count('conversations'), users: count('users'), senders: count('senders') };
  console.log(
    `Written to ${writeResult('replays', { benchmark: 'replays', date, machine: describeMachine(), settings, results })}`,
  );
}

/** @param {'conversations' | 'users' | 'senders'} name */
function count(name) {
  return Number(values[name]);
}

/** @param {import('./support/on-each-database.mjs').Place} place */
async function measure({ database, databaseUrl, cleanups }) {
  const directory = mkdtempSync(join(tmpdir(), 'memhall-benchmark-'));
  cleanups.add(async () => rmSync(directory, { recursive: true, force: true }));
  const jwtSecret = randomBytes(32).toString('hex');
  const memhall = await startMemhall({ directory, databaseUrl, jwtSecret, profileDirectory: undefined });
  cleanups.add(memhall.stop);
  const token = await signToken(jwtSecret, { tenant, user: 'sender', roles: ['service'], ttlSeconds: 24 * 3600 });
  const total = count('conversations');
  const progress = new Progress(database, total * 2);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };

  const startedMs = performance.now();
  /** @type {string[]} */
  const replays = [];
  let next = 0;
  const send = async () => {
    for (let number = next++; number < total; number = next++) {
      const user = `/v1/tenants/${tenant}/users/user-${number % count('users')}`;
      const body = JSON.stringify({ profile_id: 'project-copilot-v1', messages: conversation(number) });
      const path = `${user}/conversations/c-${number}/snapshots`;
      const answer = await fetch(memhall.url + path, { method: 'POST', headers, body });
      if (answer.status !== 202) throw new Error(`POST ${path} returned ${answer.status}: ${await answer.text()}`);
      const { replay_id: id } = /** @type {{ replay_id: string }} */ (await answer.json());
      replays.push(`${user}/replays/${id}`);
      progress.advance('submitting');
    }
  };
  await Promise.all(Array.from({ length: count('senders') }, send));
  const takenMs = performance.now() - startedMs;

  /** @type {number[]} */
  const seconds = [];
  let failed = 0;
  for (const path of replays) {
    for (;;) {
      const answer = await fetch(memhall.url + path, { headers });
      const replay = /** @type {{ status: string, created_at: string, finished_at: string | null }} */ (
        await answer.json()
      );
      if (replay.finished_at === null) {
        await sleep(200);
        continue;
      }
      if (replay.status !== 'completed') failed += 1;
      seconds.push((Date.parse(replay.finished_at) - Date.parse(replay.created_at)) / 1000);
      break;
    }
    progress.advance('replaying');
  }
  const doneMs = performance.now() - startedMs;
  progress.finish();
  seconds.sort((one, other) => one - other);
  const at = (/** @type {number} */ share) => round(seconds[Math.ceil(share * seconds.length) - 1] ?? 0, 1);
  return {
    database,
    takenPerSecond: round(total / (takenMs / 1000), 1),
    donePerSecond: round(total / (doneMs / 1000), 1),
    p50Seconds: at(0.5),
    p99Seconds: at(0.99),
    maxSeconds: at(1),
    failed,
  };
}

/** @param {number} number */
function conversation(number) {
  const texts = [
    `Hello, this is about project number ${number}.`,
    'Sure, what shall we look at?',
    `Remember that the review of project ${number} is held in room ${number % 40}.`,
    'Noted.',
    `I prefer answers with at most ${2 + (number % 5)} sentences.`,
    'I will keep them short.',
    `We decided to use queue number ${number % 7} for the imports.`,
    'Good, that fits the plan.',
  ];
  const at = Date.parse('2026-03-02T10:00:00Z');
  return texts.map((content, index) => ({
    id: `m${index}`,
    role: index % 2 === 0 ? 'user' : 'assistant',
    content,
    timestamp: new Date(at + index * 60_000).toISOString(),
  }));
}
