import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { describeOneDatabase } from './support/databases.js';
import { documentPath } from './support/documents.js';
import { useServer } from './support/server.js';

/** Long enough to be read in a thread. */
const long = (last: string) =>
  `${'The river rose and fell in its slow way again. '.repeat(2500)}\nThe last word is ${last}.`;
const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';

describeOneDatabase('texts that are read in threads', (database) => {
  const server = useServer(database);
  const user = `u-${randomUUID()}`;
  const call = async (method: 'GET' | 'POST' | 'PATCH' | 'PUT', path: string, body?: object, headers = {}) =>
    server().call({ method, path, body, headers, token: await server().token({ user }) });
  const recall = async (query: string): Promise<{ id: string; text: string }[]> =>
    (await call('POST', '/v1/recall', { query })).body.results;

  it('are stored without secrets and found like others, new and changed', { timeout: 60_000 }, async () => {
    const { status, body } = await call('POST', '/v1/remember', { content: `${secret} ${long('kestrel')}` });
    expect(status).toBe(201);
    expect(body.memory.content).not.toContain(secret);
    const { id } = body.memory;
    expect((await recall('kestrel')).map((found) => found.id)).toEqual([id]);
    const changed = await call(
      'PATCH',
      `/v1/memories/${id}`,
      { content: `${long('osprey')} ${secret}` },
      { 'if-match': '*' },
    );
    expect(changed.status).toBe(200);
    expect(changed.body.memory.content).not.toContain(secret);
    expect(await recall('kestrel')).toEqual([]);
    expect((await recall('osprey')).map((found) => found.id)).toEqual([id]);
  });

  it('are found in documents, and are read once more for what was added', { timeout: 60_000 }, async () => {
    const t1 = (path: string) => `/v1/tenants/t1/${path}`;
    const admin = await server().token({ roles: ['admin'] });
    const register = (path: string, body: object) =>
      server().call({ method: 'PUT', path: t1(path), body, token: admin, headers: { 'if-none-match': '*' } });
    await register('schemas/diary/1.0.0', { schema: { type: 'object' } });
    const binding = { binding_id: 'diary', namespace: 'user', path: 'diary.json', redact_secrets: true };
    const profile = await register('profiles/diaries', {
      document_bindings: [{ ...binding, schema_id: 'diary', schema_version: '1.0.0' }],
      writable_path_rules: { diary: ['/days'] },
    });
    expect({ status: profile.status, body: profile.body }).toMatchObject({ status: 201 });
    const write = (value: unknown) =>
      call(
        'PATCH',
        documentPath(user, ['user', 'diary.json']),
        {
          ...{ profile_id: 'diaries', binding_id: 'diary', reason: 'live_update' },
          ops: [{ op: 'add', path: '/content/days', value }],
        },
        { 'if-match': '*', 'idempotency-key': randomUUID() },
      );
    expect((await write([long('heron'), 'A day of swifts.'])).status).toBe(200);
    expect((await recall('swifts')).map(({ text }) => text)).toEqual(['A day of swifts.']);
    expect((await recall('heron'))[0]?.text).toContain('heron');
    expect((await write([long('heron'), 'A day of larks.'])).status).toBe(200);
    expect((await recall('larks')).map(({ text }) => text)).toEqual(['A day of larks.']);
    expect(await recall('swifts')).toEqual([]);
  });
});
