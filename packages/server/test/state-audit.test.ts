import { pino } from 'pino';
import { expect, it } from 'vitest';
import { openDatabase, openStore } from '../src/composition/open-database.js';
import { verifyAudit } from '../src/engine/audit/verify-audit.js';
import { describeOneDatabase } from './support/databases.js';
import { startTestServer } from './support/server.js';

describeOneDatabase('the audit log of agent state', (database) => {
  it('records each change once, with the ETags before and after it and no content', async () => {
    const server = await startTestServer(database());
    const call = async (method: string, path: string, body?: unknown) => {
      const answer = await server.call({ method, path: `/v1/memory${path}`, body });
      expect(answer.status).toBeLessThan(300);
      return answer.headers.get('etag')?.slice(1, -1) ?? null;
    };
    const expected: unknown[] = [];
    const note = (operation: string, target: string, pre: string | null, post: string | null) =>
      expected.push(
        expect.objectContaining({
          operation,
          target,
          pre_etag: pre,
          post_etag: post,
          content_sha256: post === null ? null : expect.stringMatching(/^[0-9a-f]{64}$/),
        }),
      );

    const task = { task_id: 't', event_type: 'secret', sub_tasks: ['a'], data: { secret: 1 } };
    const stored = await call('POST', '/task-context', task);
    note('tasks.store', 'task/t', null, stored);
    const replaced = await call('POST', '/task-context', task);
    note('tasks.store', 'task/t', stored, replaced);
    const updated = await call('PUT', '/task-context/t', { state: { secret: 1 } });
    note('tasks.update', 'task/t', replaced, updated);
    const changed = await call('POST', '/task-context/t/sub-tasks', { remove: ['a'] });
    note('tasks.changeSubTasks', 'task/t', updated, changed);
    await call('POST', '/task-context/t/sub-tasks', { remove: ['a'] });
    const { body: lease } = await server.call({ method: 'POST', path: '/v1/memory/task-context/t/lease', body: {} });
    const { headers } = await server.call({ path: '/v1/memory/task-context/t' });
    const leased = headers.get('etag')?.slice(1, -1) ?? null;
    note('tasks.takeLease', 'task/t', changed, leased);
    await call('DELETE', `/task-context/t?lease_id=${lease.lease_id}`);
    note('tasks.delete', 'task/t', leased, null);

    const created = await call('POST', '/plans', { plan_id: 'p', goal_event: 'secret' });
    note('plans.create', 'plan/p', null, created);
    const waiting = await call('POST', '/plans/p/correlations', { add: ['c'] });
    note('plans.changeCorrelations', 'plan/p', created, waiting);
    await call('POST', '/plans/p/correlations', { add: ['c'] });
    const finished = await call('PUT', '/plans/p', { status: 'completed' });
    note('plans.update', 'plan/p', waiting, finished);
    const value = await call('PUT', '/working/p/k', { value: 'secret' });
    note('working.put', 'working/p/k', null, value);
    await call('DELETE', '/plans/p');
    note('plans.delete', 'plan/p', finished, null);
    note('plans.delete', 'working/p', null, null);

    const opened = await call('POST', '/sessions', { session_id: 's', name: 'secret' });
    note('sessions.create', 'session/s', null, opened);
    const touched = await call('PUT', '/sessions/s', {});
    note('sessions.update', 'session/s', opened, touched);
    await call('DELETE', '/sessions/s');
    note('sessions.delete', 'session/s', touched, null);
    await server.close();

    const reopened = await openDatabase(database().config(), pino({ level: 'silent' }));
    const { rows } = await reopened.pool.query<{ record: string }>(
      'SELECT record FROM memhall.audit_records ORDER BY seq',
    );
    expect(rows.map(({ record }) => JSON.parse(record))).toEqual(expected);
    expect(rows.some(({ record }) => record.includes('secret'))).toBe(false);
    expect((await verifyAudit(openStore(reopened))).faults).toEqual([]);
    await reopened.close();
  });
});
