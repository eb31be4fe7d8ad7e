import { expect, it } from 'vitest';
import { isFull, report, timeoutMs } from '../support/attack-report.js';
import { createVictim } from '../support/attack-victim.js';
import { describeEachDatabase, describeOneDatabase } from '../support/databases.js';
import { findText } from '../support/find-text.js';
import { useServer } from '../support/server.js';

const describeDatabases = isFull ? describeEachDatabase : describeOneDatabase;

describeDatabases('after a user was forgotten', (database) => {
  const server = useServer(database);

  it('no column of any table has a word of theirs', { timeout: timeoutMs }, async (context) => {
    const { canary } = await createVictim(server(), 't1', 'victim');
    const token = await server().token({ user: 'boss', roles: ['admin'] });
    const before = await findText(database(), canary);
    expect(before.length).toBeGreaterThan(5);
    const forgotten = await server().call({ method: 'DELETE', path: '/v1/tenants/t1/users/victim/memory', token });
    expect(forgotten.status).toBe(200);
    const left = await findText(database(), canary);
    report(context, 'forgetting', {
      'columns with the text before': before.length,
      'columns with the text after': left.length,
    });
    for (const place of left) report(context, 'forgetting', { [place]: 1 });
    expect(left).toEqual([]);
  });
});
