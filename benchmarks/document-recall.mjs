#!/usr/bin/env node
// Measures what it costs a patch of a large document that recall finds the document's pieces.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { startEngine } from '../packages/server/dist/composition/start-engine.js';
import { readConfig } from '../packages/server/dist/config/read-config.js';
import { patchDocument } from '../packages/server/dist/engine/documents/patch-document.js';
import { registerProfile } from '../packages/server/dist/engine/documents/register-profile.js';
import { registerSchema } from '../packages/server/dist/engine/documents/register-schema.js';
import { onEachDatabase } from './support/on-each-database.mjs';
import { Progress } from './support/progress.mjs';
import { describeMachine, median, round, toTable, writeResult } from './support/report.mjs';

/** @typedef {import('../packages/server/dist/engine/engine.js').Engine} Engine */

const help = `Measure a patch that adds one element to a document of 100 kB, with and without the pieces that recall finds.

  npm run build && node benchmarks/document-recall.mjs

  --patches <n>  patches of each round, default 40
  --rounds <n>   rounds of each variant, in turns, default 7; the median counts
  --embedder <local|none>  default none: with a local model, the new element is also embedded before the write

CPU time is that of the Memhall process: with the embedded database, that includes the database.
`;

const { values } = parseArgs({
  options: {
    patches: { type: 'string', default: '40' },
    rounds: { type: 'string', default: '7' },
    embedder: { type: 'string', default: 'none' },
    help: { type: 'boolean', short: 'h' },
  },
});
const place = { namespace: 'notes', path: 'large.json', profileId: 'large', bindingId: 'large' };
const sentence = 'The customer prefers short answers and works on the Apollo project in Lisbon with Ada and Grace';

if (values.help) console.log(help);
else await measure();

async function measure() {
  const settings = { patches: Number(values.patches), rounds: Number(values.rounds), embedder: values.embedder };
  await onEachDatabase(
    ['embedded', 'postgres'],
    (where) => measureOn(where, settings),
    (results) => {
      const date = new Date().toISOString().slice(0, 10);
      const name = 'document-recall';
      writeResult(name, { benchmark: name, date, machine: describeMachine(), settings, results });
      const lines = results.map(({ database, without, with: having, ratio }) => [
        database,
        ...[without.cpuMs, having.cpuMs, ratio.cpu, without.wallMs, having.wallMs, ratio.wall].map(String),
      ]);
      console.log(toTable(['database', 'CPU ms without', 'with', 'ratio', 'ms without', 'with', 'ratio'], lines));
    },
  );
}

/**
 * @param {import('./support/on-each-database.mjs').Place} where
 * @param {{ patches: number, rounds: number, embedder: string | undefined }} settings
 */
async function measureOn({ database, databaseUrl, cleanups }, { patches, rounds, embedder = 'none' }) {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'memhall-benchmark-'));
  cleanups.add(async () => rmSync(dataDirectory, { recursive: true, force: true }));
  const flags = { dataDirectory, embedder, jobs: 'false', ...(databaseUrl === undefined ? {} : { databaseUrl }) };
  const { engine, close } = await startEngine(readConfig(flags, {}), pino({ level: 'silent' }));
  cleanups.add(close);
  await prepareTenant(engine);
  const variants = { without: { ...engine, documentWatchers: [] }, with: engine };
  /** @type {Record<string, { cpuMs: number[], wallMs: number[] }>} */
  const times = { without: { cpuMs: [], wallMs: [] }, with: { cpuMs: [], wallMs: [] } };
  for (const [name, variant] of Object.entries(variants)) await fill(variant, name);
  const progress = new Progress(`document-recall, ${database}`, rounds);
  for (let number = 0; number < rounds; number++) {
    progress.step(`round ${number + 1}`);
    for (const [name, variant] of Object.entries(variants)) {
      const [cpu, began] = [process.cpuUsage(), performance.now()];
      for (let patch = 0; patch < patches; patch++) await addTo(variant, name, `${sentence} ${number} ${patch}.`);
      const { user, system } = process.cpuUsage(cpu);
      times[name]?.cpuMs.push((user + system) / 1000 / patches);
      times[name]?.wallMs.push((performance.now() - began) / patches);
    }
    progress.advance(`round ${number + 1}`);
  }
  progress.finish();
  const middle = (/** @type {string} */ name) => ({
    cpuMs: round(median(times[name]?.cpuMs ?? []), 2),
    wallMs: round(median(times[name]?.wallMs ?? []), 2),
  });
  const [without, having] = [middle('without'), middle('with')];
  const ratio = { cpu: round(having.cpuMs / without.cpuMs, 2), wall: round(having.wallMs / without.wallMs, 2) };
  return { database, without, with: having, ratio };
}

/** @param {Engine} engine */
async function prepareTenant(engine) {
  const admin = callerOf('admin');
  const schema = { type: 'object' };
  await registerSchema(engine, admin, { schemaId: 'large', version: '1', schema, migration: null });
  const binding = {
    binding_id: 'large',
    namespace: 'notes',
    path: 'large.json',
    schema_id: 'large',
    schema_version: '1',
  };
  const source = { document_bindings: [binding], writable_path_rules: { large: [''] } };
  await registerProfile(engine, admin, { profileId: 'large', source, precondition: { kind: 'none' } });
}

/**
 * @param {Engine} engine
 * @param {string} user
 */
async function fill(engine, user) {
  const notes = Array.from({ length: 1000 }, (_, number) => `${sentence}, ${number}.`);
  await write(engine, user, [{ op: 'add', path: '/content/notes', value: notes }]);
}

/**
 * @param {Engine} engine
 * @param {string} user
 * @param {string} text
 */
function addTo(engine, user, text) {
  return write(engine, user, [{ op: 'add', path: '/content/notes/-', value: text }]);
}

/**
 * @param {Engine} engine
 * @param {string} user
 * @param {import('../packages/core/dist/index.js').PatchOperation[]} ops
 */
function write(engine, user, ops) {
  const nothing = { evidence: null, confidence: null, idempotency: null };
  return patchDocument(engine, callerOf(user), {
    ...place,
    ...nothing,
    reason: 'live_update',
    precondition: { kind: 'none' },
    ops,
  });
}

/** @param {string} userId */
function callerOf(userId) {
  const actor = { userId, serviceId: null, roles: /** @type {['admin']} */ (['admin']) };
  return { tenantId: 't1', userId, actor, operation: 'benchmark', requestId: 'benchmark' };
}
