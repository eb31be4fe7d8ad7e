import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { PGlite } from '@electric-sql/pglite';
import { expect, it } from 'vitest';
import { PgliteGate } from '../src/store/pglite-gate.js';
import { createTestDatabase } from './support/databases.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

it('does not keep a response after returning it', async () => {
  const database = await createTestDatabase('embedded');
  const pglite = await PGlite.create({ dataDir: join(database.flags.dataDirectory ?? '', 'postgres') });
  const session = new PgliteGate(pglite).openSession();
  const ask = async (times: number) => {
    for (let count = 0; count < times; count++) {
      const answer = await session.execute(toQuery(`SELECT repeat('x', 1000000) FROM generate_series(1, 4)`));
      expect(answer.length).toBeGreaterThan(4_000_000);
    }
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = await ask(2);
  expect((await ask(20)) - before).toBeLessThan(20_000_000);
  await pglite.close();
  await database.remove();
});

/** A simple query in the wire protocol. */
function toQuery(text: string): Buffer {
  const body = Buffer.from(`${text}\0`);
  const head = Buffer.alloc(5);
  head.write('Q');
  head.writeInt32BE(4 + body.length, 1);
  return Buffer.concat([head, body]);
}
