import { MemoryClient } from '@memhall/client';
import { expect, it } from 'vitest';
import { describeOneDatabase } from '../../../server/test/support/databases.js';
import { useServer } from '../../../server/test/support/server.js';
import { ServerSessionStore } from '../../src/sessions/server/server-session-store.js';
import { writeUntilKilled } from '../support/write-until-killed.js';

const isLong = process.env.MEMHALL_TEST_LONG !== undefined;

describeOneDatabase('sessions in a server', (database) => {
  const server = useServer(database);

  it('have every acknowledged event exactly once and in order after kill -9 of the agent', async () => {
    const token = await server().token();
    const opening = `
      import { ServerSessionStore } from '@memhall/agent';
      import { MemoryClient } from '@memhall/client';
      const client = new MemoryClient({ baseUrl: '${server().url}', token: '${token}' });
      const store = new ServerSessionStore({ client });
      await store.read('s1');`;
    const store = new ServerSessionStore({ client: new MemoryClient({ baseUrl: server().url, token }) });
    const acknowledged: number[] = [];
    for (const [round, count] of (isLong ? Array.from({ length: 20 }, (_, n) => 1 + n * 2) : [3, 20]).entries()) {
      // The last request of a killed process may be carried out later, so numbers are not used twice.
      const from = round * 1000;
      const last = await writeUntilKilled(opening, from, count);
      acknowledged.push(...Array.from({ length: last - from + 1 }, (_, n) => from + n));
      const ids = (await store.read('s1')).map(({ id }) => Number(id));
      expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
      expect(ids).toEqual(expect.arrayContaining(acknowledged));
    }
  });
});
