#!/usr/bin/env node
// Measures what it costs, and what it is good for, to recall at every prompt, or once and with a search tool.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { generateText, stepCountIs, wrapLanguageModel } from 'ai';
import { createMemoryMiddleware, memorySearch, OneMemoryBackend, SecretText } from '../packages/agent/dist/index.js';
import { OneMemoryClient } from '../packages/client/dist/one-memory.js';
import { signToken } from '../packages/server/dist/cli/sign-token.js';
import { memoryText } from './speed/sentences.mjs';
import { startMemhall } from './support/memhall-server.mjs';
import { ReadingModel } from './support/reading-model.mjs';
import { describeMachine, round, toTable, writeResult } from './support/report.mjs';

const help = `Measure when an agent should recall: at every prompt, or once and then with a search tool.

  npm run build && node benchmarks/recall-times.mjs

  --conversations <n>  number of conversations, default 60
  --memories <n>       number of further memories of the user, default 1000

Each conversation has seven prompts: where a thing is, thanks, who gave it, where another thing is, who gave that, thanks, where a third is.
A scripted model reads what it is shown, so this measures what memory costs and shows. It does not measure how texts distract a real model.
`;

const { values } = parseArgs({
  options: {
    conversations: { type: 'string', default: '60' },
    memories: { type: 'string', default: '1000' },
    help: { type: 'boolean', short: 'h' },
  },
});
const colours = ['red', 'green', 'blue', 'black', 'white', 'grey', 'brown', 'silver', 'purple', 'orange'];
const kinds = ['umbrella', 'lamp', 'bicycle', 'suitcase', 'ladder', 'teapot', 'blanket', 'drill', 'mirror', 'kettle'];
const places = [
  'behind the door',
  'in the cellar',
  'under the stairs',
  'on the balcony',
  'in the attic',
  'at the office',
];
const givers = ['Edda', 'Torben', 'Malia', 'Kwame', 'Signe', 'Raul', 'Ottilie'];
const things = colours.flatMap((colour) => kinds.map((kind) => `${colour} ${kind}`));
const placeOf = (/** @type {number} */ n) => places[(n * 7) % places.length] ?? '';
const giverOf = (/** @type {number} */ n) => givers[(n * 5) % givers.length] ?? '';

/** @typedef {{ name: string, recall: 'once' | 'every_prompt', searches: boolean }} Way */
/** @type {Way[]} */
const ways = [
  { name: 'at every prompt', recall: 'every_prompt', searches: false },
  { name: 'at every prompt, and a search tool', recall: 'every_prompt', searches: true },
  { name: 'once, and a search tool (default)', recall: 'once', searches: true },
  { name: 'once', recall: 'once', searches: false },
];

if (values.help) console.log(help);
else await measure(Number(values.conversations), Number(values.memories));

/** @param {number} conversations @param {number} memories */
async function measure(conversations, memories) {
  const directory = mkdtempSync(join(tmpdir(), 'memhall-benchmark-'));
  const jwtSecret = randomBytes(32).toString('hex');
  const memhall = await startMemhall({ directory, databaseUrl: undefined, jwtSecret, profileDirectory: undefined });
  try {
    const token = await signToken(jwtSecret, { tenant: 'benchmark', user: 'ann', ttlSeconds: 36_000 });
    const client = new OneMemoryClient({ baseUrl: memhall.url, token });
    const known = things.flatMap((thing, n) => [
      `My ${thing} is ${placeOf(n)}.`,
      `${giverOf(n)} gave me the ${thing}.`,
    ]);
    const texts = [...known, ...Array.from({ length: memories }, (_, n) => memoryText(n))];
    for (let at = 0; at < texts.length; at += 500) await client.rememberMany(texts.slice(at, at + 500));
    while (!/^memhall_memories_outdated 0$/m.test(await (await fetch(`${memhall.url}/metrics`)).text()))
      await new Promise((done) => setTimeout(done, 200));
    const configuration = {
      ...{ url: memhall.url, token: new SecretText(token), scopes: /** @type {const} */ (['own']) },
      ...{ limit: 8, timeoutMs: 10_000 },
    };
    const results = [];
    for (const way of ways) results.push(await measureWay(way, configuration, conversations));
    report(results, { conversations, memories: texts.length });
  } finally {
    await memhall.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** @param {Way} way @param {ConstructorParameters<typeof OneMemoryBackend>[0]} configuration @param {number} conversations */
async function measureWay({ name, recall, searches }, configuration, conversations) {
  const memory = new OneMemoryBackend(configuration, { remembersTurns: false });
  const model = new ReadingModel();
  let recalls = 0;
  let prompts = 0;
  /** @type {Record<'first' | 'follow-up' | 'other', { asked: number, right: number }>} */
  const answers = { first: none(), 'follow-up': none(), other: none() };
  for (let n = 0; n < conversations; n += 1) {
    const sessionId = `${recall}-${searches}-${n}`;
    const audit = (/** @type {{ type: string }} */ { type }) => {
      assert.equal(type, 'memory_recall_succeeded');
      recalls += 1;
    };
    const wrapped = wrapLanguageModel({
      model,
      middleware: createMemoryMiddleware({ memory, sessionId, recall, audit }),
    });
    const tools = searches ? { search_memory: memorySearch({ memory, sessionId, audit }) } : {};
    /** @type {import('ai').ModelMessage[]} */
    const messages = [];
    for (const { say, kind, expected } of scriptOf(n)) {
      messages.push({ role: 'user', content: say });
      prompts += 1;
      const { text, response } = await generateText({ model: wrapped, messages, tools, stopWhen: stepCountIs(3) });
      messages.push(...response.messages);
      if (kind === undefined) continue;
      answers[kind].asked += 1;
      if (text === `${expected}.`) answers[kind].right += 1;
    }
  }
  return { name, prompts, recalls, answers, ...model.counts };
}

/** @param {number} n @returns {{ say: string, kind?: 'first' | 'follow-up' | 'other', expected?: string }[]} */
function scriptOf(n) {
  const [a, b, c] = [n, n + 31, n + 62].map((number) => number % things.length);
  const where = (/** @type {number} */ one) => `Where is my ${things[one]}?`;
  return [
    { say: where(a ?? 0), kind: 'first', expected: placeOf(a ?? 0) },
    { say: 'Thanks.' },
    { say: 'Who gave it to me?', kind: 'follow-up', expected: giverOf(a ?? 0) },
    { say: where(b ?? 0), kind: 'other', expected: placeOf(b ?? 0) },
    { say: 'Who gave it to me?', kind: 'follow-up', expected: giverOf(b ?? 0) },
    { say: 'Thanks.' },
    { say: where(c ?? 0), kind: 'other', expected: placeOf(c ?? 0) },
  ];
}

function none() {
  return { asked: 0, right: 0 };
}

/** @param {Awaited<ReturnType<typeof measureWay>>[]} measured @param {object} settings */
function report(measured, settings) {
  const results = measured.map(({ read, repeated, prompts, ...rest }) => ({
    ...rest,
    tokensPerPrompt: round(read / 4 / prompts, 0),
    newTokensPerPrompt: round((read - repeated) / 4 / prompts, 0),
  }));
  const head = ['recall', 'tokens per prompt', 'of them new', 'recalls', 'model calls', 'first', 'follow-up', 'other'];
  const lines = results.map(({ name, tokensPerPrompt, newTokensPerPrompt, recalls, calls, answers }) => [
    ...[name, tokensPerPrompt, newTokensPerPrompt, recalls, calls].map(String),
    ...Object.values(answers).map(({ asked, right }) => `${right} of ${asked}`),
  ]);
  console.log(`\n${toTable(head, lines)}\n`);
  const date = new Date().toISOString().slice(0, 10);
  const result = { benchmark: 'recall-times', date, machine: describeMachine(), settings, results };
  console.log(`Written to ${writeResult('recall-times', result)}`);
}
