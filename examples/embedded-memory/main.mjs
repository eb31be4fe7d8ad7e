// Memory inside a program: no server, no key, no network.
//
//   node examples/embedded-memory/main.mjs
//
// Set DATABASE_URL to run it on PostgreSQL.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMemhall } from 'memhall';

const dataDirectory = mkdtempSync(join(tmpdir(), 'memhall-example-'));
const databaseUrl = process.env.DATABASE_URL;
const memhall = await openMemhall({ dataDirectory, ...(databaseUrl === undefined ? {} : { databaseUrl }) });
try {
  const memory = memhall.as({ user: `me-${Date.now()}` });
  await memory.remember('I take my tea without milk.');
  await memory.remember({ content: 'Anna: We are moving to Lisbon in June.', sessionId: 'chat-1', tags: ['family'] });
  const { memory: decision } = await memory.remember('We decided to keep everything in PostgreSQL.');

  for (const question of ['What do I drink?', 'Where will Anna live?', 'Which database did we choose?']) {
    const [best] = await memory.recall(question);
    console.log(`${question}\n  ${best?.score.toFixed(2)} ${best?.memory.content}`);
    assert.ok(best !== undefined && best.score > 0);
  }
  assert.equal((await memory.recall('Which database did we choose?'))[0]?.memory.id, decision.id);

  await memory.update(decision.id, { content: 'We decided to keep everything in SQLite.' });
  assert.match((await memory.recall('Which database?'))[0]?.memory.content ?? '', /SQLite/);

  assert.equal(await memory.forget(decision.id), 1);
  assert.ok((await memory.recall('SQLite')).every((result) => result.memory.id !== decision.id));
  console.log('Changed, then forgotten: recall no longer finds it.');
} finally {
  await memhall.close();
  rmSync(dataDirectory, { recursive: true });
}
