import { expect, it } from 'vitest';
import { flagsOf, runCommand, spawnServer } from './support/command.js';
import { describeEachDatabase } from './support/databases.js';
import { send } from './support/server.js';

const rounds = process.env.MEMHALL_TEST_LONG === undefined ? 1 : 20;
const writers = 4;

describeEachDatabase('a server killed in the middle of writes', (database) => {
  it(
    `keeps every acknowledged write and an intact audit chain, ${rounds} times in a row`,
    async () => {
      const flags = flagsOf(database());
      const { stdout } = await runCommand([
        'token',
        '--tenant',
        't1',
        '--user',
        'u1',
        '--ttl',
        '1h',
        ...flags.slice(0, 2),
      ]);
      const token = stdout.trim();
      const acknowledged = new Map<string, string>();
      for (let round = 0; round < rounds; round++) {
        const server = await spawnServer([...flags, '--log-level', 'silent', '--embedder', 'none']);
        const before = acknowledged.size;
        // The delay starts at the first response: on a busy machine, that can take longer than the delay itself.
        let doomed = false;
        const onAnswer = () => {
          if (!doomed) setTimeout(() => server.child.kill('SIGKILL'), Math.random() * 1000);
          doomed = true;
        };
        const work = { url: server.url, token, acknowledged, onAnswer };
        await Promise.all(Array.from({ length: writers }, (_, writer) => write(work, `${round}-${writer}`)));
        await server.ended;
        expect(acknowledged.size).toBeGreaterThan(before);
      }
      const survivor = await spawnServer([...flags, '--log-level', 'silent', '--embedder', 'none']);
      const found = await readAll(survivor.url, token, rounds);
      for (const [key, value] of acknowledged) expect(found.get(key)).toBe(value);
      survivor.child.kill('SIGTERM');
      expect((await survivor.ended).code).toBe(0);
      const verified = await runCommand(['audit', 'verify', ...flags]);
      expect(verified.stdout).toMatch(/^Verify complete: chains=1 records=\d+ faults=0\n/);
      // A write whose response was lost may have been stored, but every acknowledged write must have its record.
      expect(Number(/records=(\d+)/.exec(verified.stdout)?.[1])).toBeGreaterThanOrEqual(acknowledged.size);
    },
    60_000 + rounds * 30_000,
  );
});

interface Work {
  url: string;
  token: string;
  acknowledged: Map<string, string>;
  onAnswer(): void;
}

/** Writes until the server is gone, and notes the acknowledged values. */
async function write({ url, token, acknowledged, onAnswer }: Work, writer: string): Promise<void> {
  for (let count = 0; ; count++) {
    const key = `${writer}-${count}`;
    const value = `value of ${key}`;
    try {
      const path = `/v1/memory/working/round-${writer.split('-')[0]}/${key}`;
      const answer = await send(url, { method: 'PUT', path, body: { value }, token });
      if (answer.status !== 200) throw new Error(`answered ${answer.status}: ${JSON.stringify(answer.body)}`);
      acknowledged.set(key, value);
      onAnswer();
    } catch (error) {
      if (error instanceof TypeError) return;
      throw error;
    }
  }
}

async function readAll(url: string, token: string, roundCount: number): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let round = 0; round < roundCount; round++) {
    let cursor: string | undefined;
    do {
      const path = `/v1/memory/working/round-${round}?limit=100${cursor === undefined ? '' : `&cursor=${cursor}`}`;
      const { body } = await send(url, { path, token });
      for (const { key, value } of body.entries) found.set(key, value);
      cursor = body.next_cursor;
    } while (cursor !== undefined);
  }
  return found;
}
