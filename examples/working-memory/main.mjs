// A planner that keeps its place in working memory, is interrupted, and goes on where it stopped.
//
//   npm start                       # in one terminal; prints a token
//   TOKEN=… node examples/working-memory/main.mjs
//
// Without a token it starts a server of its own, so that it can check itself.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryClient } from '@memhall/client';
import { startOwnServer } from '../support/own-server.mjs';

const steps = ['collect sources', 'read them', 'write the summary'];
const planId = `research-${Date.now()}`;

/** Does the steps that are not done yet, and stops early when told to. */
async function work(/** @type {MemoryClient} */ memory, { stopAfter = steps.length } = {}) {
  const saved = await memory.getPlanState(planId, 'progress');
  let done = /** @type {number} */ (saved?.value ?? 0);
  let etag = saved?.etag;
  for (const step of steps.slice(done, stopAfter)) {
    console.log(`  ${step}`);
    done += 1;
    // If-Match: should a second planner have moved on meanwhile, this one must not overwrite it.
    ({ etag } = await memory.setPlanState(planId, 'progress', done, etag ? { ifMatch: etag } : { onlyIfAbsent: true }));
  }
  return done;
}

const own =
  process.env.TOKEN === undefined ? await startOwnServer(mkdtempSync(join(tmpdir(), 'memhall-example-'))) : undefined;
try {
  const memory = new MemoryClient({
    baseUrl: own?.url ?? process.env.MEMHALL_URL ?? 'http://127.0.0.1:8010',
    token: own?.token ?? process.env.TOKEN ?? '',
  });
  console.log('first planner, interrupted after one step:');
  assert.equal(await work(memory, { stopAfter: 1 }), 1);
  console.log('second planner, with the same plan id:');
  assert.equal(await work(memory), steps.length);
  assert.deepEqual(await memory.deletePlanState(planId), { deleted_count: 1, plan_id: planId });
  assert.equal(await memory.getPlanState(planId, 'progress'), null);
  console.log('done, and cleaned up.');
} finally {
  await own?.stop();
  if (own !== undefined) rmSync(own.dataDirectory, { recursive: true });
}
