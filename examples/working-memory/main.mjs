// A planner stores its progress in working memory, is interrupted, and continues where it stopped.
//
//   npm start                       # in one terminal; prints a token
//   TOKEN=… node examples/working-memory/main.mjs
//
// Without a token it starts its own server, so that it can check itself.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryClient } from '@memhall/client';
import { startOwnServer } from '../support/own-server.mjs';

const steps = ['collect sources', 'read them', 'write the summary'];
const planId = `research-${Date.now()}`;

/** Does the remaining steps, up to `stopAfter`. */
async function work(/** @type {MemoryClient} */ memory, { stopAfter = steps.length } = {}) {
  const saved = await memory.getPlanState(planId, 'progress');
  let done = /** @type {number} */ (saved?.value ?? 0);
  let etag = saved?.etag;
  for (const step of steps.slice(done, stopAfter)) {
    console.log(`  ${step}`);
    done += 1;
    // If-Match prevents this planner from overwriting the progress of a second one.
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
  console.log('First planner, interrupted after one step:');
  assert.equal(await work(memory, { stopAfter: 1 }), 1);
  console.log('Second planner, with the same plan id:');
  assert.equal(await work(memory), steps.length);
  assert.deepEqual(await memory.deletePlanState(planId), { deleted_count: 1, plan_id: planId });
  assert.equal(await memory.getPlanState(planId, 'progress'), null);
  console.log('Done and cleaned up.');
} finally {
  await own?.stop();
  if (own !== undefined) rmSync(own.dataDirectory, { recursive: true });
}
