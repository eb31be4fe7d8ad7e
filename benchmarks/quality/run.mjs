#!/usr/bin/env node
// Measures how much of the evidence recall finds, through the public API.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openMemhall } from '../../packages/server/dist/index.js';
import { Progress } from '../support/progress.mjs';
import { describeMachine, toTable, writeResult } from '../support/report.mjs';
import { readLocomo } from './locomo.mjs';
import { Scores } from './metrics.mjs';

const help = `Measure evidence recall on LoCoMo: every turn of a conversation is one memory, every question one query.

  npm run build && node benchmarks/quality/run.mjs --data <locomo10.json>

  --data <file>      path of the data set, which is not part of this repository (CC BY-NC 4.0)
  --embedder <kind>  local (default) or none
  --database-url <u> use this PostgreSQL database instead of the embedded one

The recall weights were tuned on the conversations with even numbers. The others were not looked at.
`;

const deepest = 100;
const deepestSession = 10;
const batch = 500;

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    embedder: { type: 'string', default: 'local' },
    'database-url': { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
});

if (values.help || values.data === undefined || !existsSync(values.data)) {
  if (!values.help)
    console.error(
      values.data === undefined
        ? 'The data set is missing: pass --data <file>.\n'
        : `There is no data set at ${values.data}.\n`,
    );
  console.log(help);
  process.exit(values.help ? 0 : 1);
}

const conversations = readLocomo(values.data);
const directory = mkdtempSync(join(tmpdir(), 'memhall-quality-'));
const memhall = await openMemhall({
  dataDirectory: directory,
  embedder: /** @type {'local' | 'none'} */ (values.embedder),
  ...(values['database-url'] === undefined ? {} : { databaseUrl: values['database-url'] }),
});
try {
  await evaluate();
} finally {
  await memhall.close();
  rmSync(directory, { recursive: true });
}

async function evaluate() {
  const groups = { tuned: new Scores(), 'held out': new Scores(), all: new Scores() };
  const progress = new Progress(
    'LoCoMo',
    conversations.reduce((sum, { questions }) => sum + questions.length, 0),
  );
  for (const { number, turns, questions } of conversations) {
    progress.step(`conversation ${number + 1} of ${conversations.length}`);
    const memory = memhall.as({ tenant: 'locomo', user: `conversation-${number}` });
    const ids = await store(memory, turns);
    const sessions = new Map(turns.map(({ id, session }) => [id, session]));
    for (const question of questions) {
      const results = await memory.recall(question.text, { limit: deepest });
      const ranked = results.map((result) => ids.get(result.memory.id) ?? '');
      const grouped = await memory.recallSessions(question.text, { limit: deepestSession });
      const rankedSessions = grouped.map(({ sessionId }) => sessionId);
      for (const scores of [groups.all, number % 2 === 0 ? groups.tuned : groups['held out']]) {
        scores.add(ranked, question.evidence, (id) => sessions.get(id) ?? '', rankedSessions);
      }
      progress.advance('');
    }
  }
  progress.finish();
  const results = Object.fromEntries(Object.entries(groups).map(([name, scores]) => [name, scores.result()]));
  const columns = Object.keys(results.all ?? {});
  const lines = Object.entries(results).map(([name, scores]) => [
    name,
    ...columns.map((column) => String(scores[column])),
  ]);
  console.log(toTable(['conversations', ...columns], lines));
  writeResult(`quality-locomo-${values.embedder}`, { machine: describeMachine(), results });
}

/**
 * @param {ReturnType<typeof memhall.as>} memory
 * @param {import('./locomo.mjs').Turn[]} turns
 */
async function store(memory, turns) {
  const ids = new Map();
  for (let at = 0; at < turns.length; at += batch) {
    const part = turns.slice(at, at + batch);
    const stored = await memory.rememberMany(
      part.map(({ text, session, at: occurredAt }) => ({
        content: text,
        kind: 'turn',
        sessionId: session,
        occurredAt,
      })),
    );
    for (const [index, { memory: saved }] of stored.entries()) ids.set(saved.id, part[index]?.id);
  }
  while (values.embedder !== 'none' && (await memhall.pendingEmbeddings('locomo')) > 0) await sleep(100);
  return ids;
}
