import { OneMemoryClient } from '@memhall/client/one-memory';
import { expect, it } from 'vitest';
import { flagsOf, runCommand } from './support/command.js';
import { describeOneDatabase } from './support/databases.js';
import { expectProblem } from './support/expect-problem.js';
import { useServer } from './support/server.js';

describeOneDatabase('the time zone of a user', (database) => {
  const server = useServer(database);

  const call = async (user: string, method: 'GET' | 'PUT' | 'POST', path: string, body?: object) => {
    const token = await server().token({ user });
    return server().call({ method, path, token, ...(body && { body }) });
  };

  it('is UTC until the user sets another one', async () => {
    expect((await call('ann', 'GET', '/v1/user')).body).toEqual({ user_id: 'ann', time_zone: 'UTC' });
    const set = await call('ann', 'PUT', '/v1/user', { time_zone: 'pacific/auckland' });
    expect(set.body).toEqual({ user_id: 'ann', time_zone: 'Pacific/Auckland' });
    expect((await call('ann', 'GET', '/v1/user')).body).toEqual(set.body);
    expect((await call('bob', 'GET', '/v1/user')).body.time_zone).toBe('UTC');
  });

  it('must be a name of the IANA list', async () => {
    for (const name of ['Mars/Base', '+01:00', 'Oslo']) {
      expectProblem(await call('ann', 'PUT', '/v1/user', { time_zone: name }), 'INVALID_REQUEST');
    }
  });

  it('can be set by a service for a user, and is audited once per change', async () => {
    const token = await server().token({ user: 'desk', roles: ['service'] });
    const set = (zone: string) =>
      server().call({ method: 'PUT', path: '/v1/user', token, body: { time_zone: zone, user_id: 'cem' } });
    expect((await set('Europe/Istanbul')).body).toEqual({ user_id: 'cem', time_zone: 'Europe/Istanbul' });
    await set('Europe/Istanbul');
    await set('UTC');
    const admin = await server().token({ user: 'boss', roles: ['admin'] });
    const { body } = await server().call({
      method: 'GET',
      path: '/v1/tenants/t1/users/cem/audit?target=user/cem',
      token: admin,
    });
    expect(body.records.map((record: { time_zone: string }) => record.time_zone)).toEqual(['UTC', 'Europe/Istanbul']);
  });

  it('says which day a query means', async () => {
    for (const [user, zone] of Object.entries({ here: 'UTC', there: 'Pacific/Auckland' })) {
      await call(user, 'PUT', '/v1/user', { time_zone: zone });
      for (const [content, occurred_at] of Object.entries({
        'Swam in the lake before breakfast.': '2026-03-10T12:00:00Z',
        'Swam in the lake after supper.': '2026-03-11T20:00:00Z',
      })) {
        await call(user, 'POST', '/v1/remember', { content, occurred_at });
      }
    }
    const best = async (user: string) => {
      const { body } = await call(user, 'POST', '/v1/recall', { query: 'Who swam in the lake on 2026-03-11?' });
      return body.results[0].text;
    };
    expect(await best('here')).toBe('Swam in the lake after supper.');
    expect(await best('there')).toBe('Swam in the lake before breakfast.');
  });

  it('says since when a statement is true', async () => {
    const begins = async (user: string) => {
      await call(user, 'POST', '/v1/remember', {
        content: 'I moved to Oslo yesterday.',
        occurred_at: '2026-03-10T23:30:00Z',
      });
      return (await call(user, 'GET', '/v1/facts?attribute=lives%20in')).body.facts[0].valid_from;
    };
    expect(await begins('here')).toBe('2026-03-09T00:00:00.000Z');
    expect(await begins('there')).toBe('2026-03-09T11:00:00.000Z');
  });

  it('is read and set with the client and the command', async () => {
    const client = new OneMemoryClient({ baseUrl: server().url, token: await server().token({ user: 'dee' }) });
    const who = ['--tenant', 't1', '--user', 'dee', ...flagsOf(database())];
    expect(await client.setTimeZone('America/Lima')).toEqual({ user_id: 'dee', time_zone: 'America/Lima' });
    expect(await runCommand(['time-zone', ...who])).toEqual({ code: 0, stdout: 'America/Lima\n', stderr: '' });
    expect((await runCommand(['time-zone', 'Europe/Paris', ...who])).stdout).toBe('Europe/Paris\n');
    expect(await client.getSettings()).toEqual({ user_id: 'dee', time_zone: 'Europe/Paris' });
    expect(await runCommand(['time-zone', 'Nowhere', ...who])).toMatchObject({ code: 1, stdout: '' });
  });

  it('is forgotten with the user', async () => {
    await call('gone', 'PUT', '/v1/user', { time_zone: 'Asia/Tokyo' });
    const token = await server().token({ user: 'boss', roles: ['admin'] });
    const forgotten = await server().call({ method: 'DELETE', path: '/v1/tenants/t1/users/gone/memory', token });
    expect(forgotten.body.counts).toMatchObject({ user_settings: 1 });
    expect((await call('gone', 'GET', '/v1/user')).body.time_zone).toBe('UTC');
  });
});
