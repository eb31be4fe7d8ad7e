#!/usr/bin/env node
// Measures what memory adds to an agent's turn (recall before it, add and flush after it), with many memories.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { MemoryGatewayBackend, parseGatewayConfiguration } from '../packages/agent/dist/index.js';
import { signToken } from '../packages/server/dist/cli/sign-token.js';
import { memoryText, questionText } from './speed/sentences.mjs';
import { startMemhall } from './support/memhall-server.mjs';
import { onEachDatabase } from './support/on-each-database.mjs';
import { Progress } from './support/progress.mjs';
import { describeMachine, round, toTable, writeResult } from './support/report.mjs';

const help = `Measure the turns of an agent whose user has many memories in the gateway.

  npm run build && node benchmarks/agent-turn.mjs

  --memories <n>  number of memories of the user, default 10000
  --turns <n>     number of turns, default 300; the first twenty are not counted
  --database <embedded|postgres|both>  default both

The goal is a recall under 25 ms in 95 of 100 turns, on the embedded database with 10,000 memories.
`;

const { values } = parseArgs({
  options: {
    memories: { type: 'string', default: '10000' },
    turns: { type: 'string', default: '300' },
    database: { type: 'string', default: 'both' },
    help: { type: 'boolean', short: 'h' },
  },
});
const batch = 500;
const warmUp = 20;
const counts = { memories: Number(values.memories), turns: Number(values.turns) };

if (values.help) console.log(help);
else {
  const kinds = /** @type {import('./support/options.mjs').DatabaseKind[]} */ (
    values.database === 'both' ? ['embedded', 'postgres'] : [values.database]
  );
  await onEachDatabase(kinds, measure, report);
}

/** @param {import('./support/on-each-database.mjs').Place} place */
async function measure({ database, databaseUrl, cleanups }) {
  const directory = mkdtempSync(join(tmpdir(), 'memhall-benchmark-'));
  cleanups.add(async () => rmSync(directory, { recursive: true, force: true }));
  const jwtSecret = randomBytes(32).toString('hex');
  const memhall = await startMemhall({ directory, databaseUrl, jwtSecret, profileDirectory: undefined });
  cleanups.add(memhall.stop);
  const progress = new Progress(database, Math.ceil(counts.memories / batch) + counts.turns);
  const token = await signToken(jwtSecret, {
    tenant: 'benchmark',
    user: 'operator',
    roles: ['admin'],
    ttlSeconds: 36_000,
  });
  const { user_key: userKey } = await post(memhall.url, '/users', { user_id: 'ann' }, token);
  for (let at = 0; at < counts.memories; at += batch) {
    const messages = Array.from({ length: Math.min(batch, counts.memories - at) }, (_, index) => ({
      ...{ sender_id: 'ann', role: 'user', timestamp: 1_600_000_000_000 + (at + index) * 60_000 },
      content: memoryText(at + index),
    }));
    await post(memhall.url, '/memories/add', { user_id: 'ann', user_key: userKey, session_id: `chat:${at}`, messages });
    progress.advance('filling');
  }
  progress.step('waiting for vectors');
  while (!/^memhall_memories_outdated 0$/m.test(await (await fetch(`${memhall.url}/metrics`)).text()))
    await sleep(1000);

  const scope = ['current_chat', 'resources', 'all_user_memory'];
  const section = { baseUrl: memhall.url, userId: 'ann', userKey, scope };
  const backend = new MemoryGatewayBackend(parseGatewayConfiguration(section));
  /** @type {string[]} */
  const failures = [];
  const audit = async (/** @type {{ type: string }} */ { type }) => {
    if (type.endsWith('_failed')) failures.push(type);
  };
  const before = loadavg()[0] ?? 0;
  const [recallMs, persistMs] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
  for (let turn = 0; turn < counts.turns; turn++) {
    const prompt = questionText(turn);
    const run = { sessionId: 'turns', prompt, audit };
    const startMs = performance.now();
    await backend.recallBeforeRun(run);
    const recalledMs = performance.now();
    const at = Date.now();
    await backend.persistAfterRun({
      ...{ sessionId: 'turns', audit, user: { content: prompt, at } },
      assistant: { content: `That is answer number ${turn}.`, at: at + 1 },
    });
    if (turn >= warmUp) {
      recallMs.push(recalledMs - startMs);
      persistMs.push(performance.now() - recalledMs);
    }
    progress.advance('turns');
  }
  progress.finish();
  if (failures.length > 0) throw new Error(`failures in ${counts.turns} turns: ${failures.join(', ')}`);
  const load = { before: round(before, 1), after: round(loadavg()[0] ?? 0, 1) };
  return { database, load, recall: toTimes(recallMs), persist: toTimes(persistMs) };
}

/** @param {number[]} times */
function toTimes(times) {
  const sorted = [...times].sort((one, other) => one - other);
  const at = (/** @type {number} */ share) => round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0, 2);
  return { p50Ms: at(0.5), p95Ms: at(0.95) };
}

/** @param {Awaited<ReturnType<typeof measure>>[]} results */
function report(results) {
  const lines = results.map(({ database, recall, persist }) => [
    database,
    ...[recall.p50Ms, recall.p95Ms, persist.p50Ms, persist.p95Ms].map((time) => time.toFixed(2)),
  ]);
  const head = ['database', 'recall p50 ms', 'p95 ms', 'add and flush p50 ms', 'p95 ms'];
  console.log(
    `\n${toTable(head, lines)}\n\nGoal: recall p95 under 25 ms on the embedded database with 10,000 memories.`,
  );
  const date = new Date().toISOString().slice(0, 10);
  const result = { benchmark: 'agent-turn', date, machine: describeMachine(), settings: counts, results };
  console.log(`Written to ${writeResult('agent-turn', result)}`);
}

/**
 * @param {string} url
 * @param {string} path
 * @param {object} body
 * @param {string} [token]
 */
async function post(url, path, body, token) {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (answer.status !== 200) throw new Error(`${path} returned ${answer.status}: ${await answer.text()}`);
  return answer.json();
}
