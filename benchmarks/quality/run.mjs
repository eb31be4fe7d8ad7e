#!/usr/bin/env node
// Measures how much of the evidence recall finds, through the public API.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openMemhall } from '../../packages/server/dist/index.js';
import { Progress } from '../support/progress.mjs';
import { describeMachine, median, round, toTable, writeResult } from '../support/report.mjs';
import { readDataSet } from './data-set.mjs';
import { Scores } from './metrics.mjs';

const help = `Measure evidence recall: every turn of a conversation is one memory, every question one query.

  npm run build && node benchmarks/quality/run.mjs --data <file>

  --data <file>      path of the data set: LoCoMo (locomo10.json), or {conversations: [{id, evidence_of, turns, questions}]}.
                     Only six-languages.json is part of this repository, beside this program.
  --embedder <kind>  local (default), none, openai or onnx:<directory>
  --database-url <u> use this PostgreSQL database instead of the embedded one
  --most <n>         ask at most so many questions of each conversation

Settings such as MEMHALL_RERANKER are read from the environment. The recall weights were tuned on LoCoMo's conversations with
odd numbers, counted from 1.
`;

const deepest = 100;
const deepestSession = 10;
const batch = 500;

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    embedder: { type: 'string', default: 'local' },
    'database-url': { type: 'string' },
    most: { type: 'string', default: 'Infinity' },
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

const { name, conversations } = readDataSet(values.data);
const directory = mkdtempSync(join(tmpdir(), 'memhall-quality-'));
const settings = Object.entries(process.env).filter(([key]) => key.startsWith('MEMHALL_'));
for (const { language } of conversations) if (language !== undefined) setLanguage(language);
const memhall = await openMemhall({
  dataDirectory: directory,
  environment: { ...Object.fromEntries(settings), MEMHALL_EMBEDDER: values.embedder },
  ...(values['database-url'] === undefined ? {} : { databaseUrl: values['database-url'] }),
});
try {
  await evaluate();
} finally {
  await memhall.close();
  rmSync(directory, { recursive: true });
}

async function evaluate() {
  /** @type {Record<string, Scores>} */
  const groups = { all: new Scores() };
  /** @type {number[]} */
  const times = [];
  const progress = new Progress(
    name,
    conversations.reduce((sum, { questions }) => sum + Math.min(questions.length, Number(values.most)), 0),
  );
  for (const [number, conversation] of conversations.entries()) {
    progress.step(`conversation ${number + 1} of ${conversations.length}`);
    const scores = new Scores();
    groups[conversation.id] = scores;
    for await (const found of ask(conversation, number, times)) {
      groups.all?.add(found);
      scores.add(found);
      progress.advance('');
    }
  }
  progress.finish();
  const results = Object.fromEntries(Object.entries(groups).map(([group, scores]) => [group, scores.result()]));
  const columns = Object.keys(results.all ?? {});
  const lines = Object.entries(results).map(([group, scores]) => [
    group,
    ...columns.map((column) => String(scores[column])),
  ]);
  console.log(toTable(['conversations', ...columns], lines));
  const cost = { recallMs: round(median(times), 1), residentMb: Math.round(process.memoryUsage.rss() / 2 ** 20) };
  console.log(`\nrecall: ${cost.recallMs} ms (median); memory of the process: ${cost.residentMb} MB`);
  const kind = values.embedder.split(':')[0];
  writeResult(`quality-${name}-${kind}`, { machine: describeMachine(), results, ...cost });
}

/**
 * @param {import('./data-set.mjs').Conversation} conversation
 * @param {number} number
 * @param {number[]} times milliseconds of each recall are added
 */
async function* ask({ turns, questions, evidenceOf, language }, number, times) {
  const tenant = tenantOf(language);
  const memory = memhall.as({ tenant, user: `conversation-${number}` });
  const ids = await store(memory, turns, tenant);
  const sessionOf = new Map(turns.map(({ id, session }) => [id, session]));
  const order = [...new Set(turns.map(({ session }) => session))];
  for (const { text, evidence, sessionsBefore } of questions.slice(0, Number(values.most))) {
    const counting = new Set(order.slice(0, sessionsBefore));
    const began = performance.now();
    const results = await memory.recall(text, { limit: deepest });
    times.push(performance.now() - began);
    const grouped = await memory.recallSessions(text, {
      limit: sessionsBefore === undefined ? deepestSession : deepest,
    });
    const found = results
      .map((result) => ids.get(result.memory.id) ?? '')
      .filter((id) => counting.has(sessionOf.get(id) ?? ''));
    const sessions = [...new Set(found.map((id) => sessionOf.get(id) ?? ''))];
    const ofSessions = evidenceOf === 'session';
    yield {
      ranked: ofSessions ? sessions : found,
      evidence,
      sessions,
      grouped: grouped.map(({ sessionId }) => sessionId).filter((session) => counting.has(session)),
      wanted: ofSessions ? evidence : [...new Set(evidence.map((id) => sessionOf.get(id) ?? ''))],
    };
  }
}

/**
 * @param {ReturnType<typeof memhall.as>} memory
 * @param {import('./data-set.mjs').Turn[]} turns
 * @param {string} tenant
 * @returns {Promise<Map<string, string>>} ids of turns by ids of memories
 */
async function store(memory, turns, tenant) {
  const ids = new Map();
  for (let from = 0; from < turns.length; from += batch) {
    const part = turns.slice(from, from + batch);
    const stored = await memory.rememberMany(
      part.map(({ text, session, at }) => ({
        content: text,
        kind: 'turn',
        sessionId: session,
        ...(at === undefined ? {} : { occurredAt: at }),
      })),
    );
    for (const [index, { memory: saved }] of stored.entries()) ids.set(saved.id, part[index]?.id);
  }
  while (values.embedder !== 'none' && (await memhall.pendingEmbeddings(tenant)) > 0) await sleep(100);
  return ids;
}

/** @param {string} [language] */
function tenantOf(language) {
  return language === undefined ? 'quality' : `quality-${language}`;
}

/** @param {string} language */
function setLanguage(language) {
  const command = fileURLToPath(new URL('../../packages/server/bin/memhall.js', import.meta.url));
  const database =
    values['database-url'] === undefined
      ? { MEMHALL_DATA: directory }
      : { MEMHALL_DATABASE_URL: values['database-url'] };
  execFileSync(process.execPath, [command, 'tenant', 'language', tenantOf(language), language], {
    env: { ...process.env, ...database },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
