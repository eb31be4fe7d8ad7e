import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { describeOneDatabase } from './support/databases.js';
import { useServer } from './support/server.js';

let planNumber = 0;

/** Returns the id of a plan that no other test uses. */
function newPlan(): string {
  planNumber += 1;
  return `plan-${planNumber}`;
}

describeOneDatabase('working memory', (database) => {
  const server = useServer(database);
  const at = (plan: string, key?: string) => `/v1/memory/working/${plan}${key === undefined ? '' : `/${key}`}`;

  describe('PUT and GET', () => {
    it('stores any JSON value and returns it unchanged', async () => {
      const plan = newPlan();
      const values = [null, true, 0, -1.5e300, '', 'e\u0301 👩‍👩‍👧', [], {}, { b: [1, { a: null }], a: '"' }];
      for (const [index, value] of values.entries()) {
        const put = await server().call({ method: 'PUT', path: at(plan, `k${index}`), body: { value } });
        expect(put.status).toBe(200);
        const got = await server().call({ path: at(plan, `k${index}`) });
        expect(got.status).toBe(200);
        expect(got.body).toStrictEqual(put.body);
        expect(got.body.value).toStrictEqual(value);
      }
    });

    it('returns exactly the fields of the contract', async () => {
      const plan = newPlan();
      const { body } = await server().call({ method: 'PUT', path: at(plan, 'k'), body: { value: 1, ttl_seconds: 60 } });
      expect(Object.keys(body)).toEqual(['plan_id', 'key', 'value', 'created_at', 'updated_at', 'expires_at']);
      expect(body).toMatchObject({ plan_id: plan, key: 'k', value: 1 });
      expect(body.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(Date.parse(body.expires_at) - Date.parse(body.updated_at)).toBe(60_000);
    });

    it('keeps created_at, changes updated_at and drops the old expiry on replacement', async () => {
      const plan = newPlan();
      const first = await server().call({ method: 'PUT', path: at(plan, 'k'), body: { value: 1, ttl_seconds: 60 } });
      await sleep(5);
      const second = await server().call({ method: 'PUT', path: at(plan, 'k'), body: { value: 2 } });
      expect(second.body.created_at).toBe(first.body.created_at);
      expect(second.body.updated_at > first.body.updated_at).toBe(true);
      expect(second.body).not.toHaveProperty('expires_at');
    });

    it('forgets an expired value and starts over afterwards', async () => {
      const plan = newPlan();
      const first = await server().call({ method: 'PUT', path: at(plan, 'k'), body: { value: 1, ttl_seconds: 1 } });
      await sleep(1100);
      expect((await server().call({ path: at(plan, 'k') })).status).toBe(404);
      expect((await server().call({ path: at(plan) })).body.entries).toEqual([]);
      expect((await server().call({ method: 'DELETE', path: at(plan, 'k') })).status).toBe(404);
      const again = await server().call({
        method: 'PUT',
        path: at(plan, 'k'),
        body: { value: 2 },
        headers: { 'if-none-match': '*' },
      });
      expect(again.status).toBe(200);
      expect(again.body.created_at > first.body.created_at).toBe(true);
    });

    it.each([
      [{}, '"value" is required.'],
      [{ value: 1, ttl_seconds: 0 }, '"ttl_seconds" must be at least 1.'],
      [{ value: 1, ttl_seconds: '60' }, '"ttl_seconds" must be a whole number.'],
      [{ value: 1, ttl_seconds: 1.5 }, '"ttl_seconds" must be a whole number.'],
      [[], 'The body must be an object.'],
      [{ value: 'a\u0000b' }, '"/value" contains a NUL character.'],
      [{ value: '\ud800' }, '"/value" contains a lone surrogate.'],
    ])('rejects the body %j', async (body, message) => {
      const answer = await server().call({ method: 'PUT', path: at(newPlan(), 'k'), body });
      expect(answer.status).toBe(400);
      expect(answer.body.error).toMatchObject({ code: 'INVALID_REQUEST', message });
    });

    it('rejects an unknown field and names it', async () => {
      const answer = await server().call({ method: 'PUT', path: at(newPlan(), 'k'), body: { value: 1, ttl: 5 } });
      expect(answer.status).toBe(400);
      expect(answer.body.error).toMatchObject({ code: 'UNKNOWN_FIELD', details: { field: 'ttl' } });
    });

    it.each(['a%20b', 'a%2Fb', '%00', '%F0%9F%98%80', 'x'.repeat(129), '..%2f..'])(
      'rejects the key %s',
      async (key) => {
        const answer = await server().call({ path: at('p', key) });
        expect(answer.status).toBe(400);
        expect(answer.body.error.code).toBe('INVALID_REQUEST');
      },
    );

    it('accepts plan ids of at most 100 characters', async () => {
      expect((await server().call({ path: at('p'.repeat(100)) })).status).toBe(200);
      expect((await server().call({ path: at('p'.repeat(101)) })).status).toBe(400);
    });
  });

  describe('compare and set', () => {
    it('returns a new ETag for every write', async () => {
      const plan = newPlan();
      const etags = new Set<string | null>();
      for (const value of [1, 2, 2]) {
        etags.add((await server().call({ method: 'PUT', path: at(plan, 'k'), body: { value } })).headers.get('etag'));
      }
      expect(etags.size).toBe(3);
      expect((await server().call({ path: at(plan, 'k') })).headers.get('etag')).toBe([...etags][2]);
    });

    it('writes only if the precondition matches', async () => {
      const plan = newPlan();
      const put = (value: number, headers: Record<string, string>) =>
        server().call({ method: 'PUT', path: at(plan, 'k'), body: { value }, headers });
      expect((await put(0, { 'if-match': '*' })).status).toBe(412);
      const first = await put(1, { 'if-none-match': '*' });
      expect(first.status).toBe(200);
      expect((await put(2, { 'if-none-match': '*' })).status).toBe(412);
      const etag = first.headers.get('etag') ?? '';
      const second = await put(2, { 'if-match': `"other", ${etag}` });
      expect(second.status).toBe(200);
      const stale = await put(3, { 'if-match': etag });
      expect(stale.status).toBe(412);
      expect(stale.body.error).toMatchObject({
        code: 'ETAG_MISMATCH',
        details: { latest_etag: second.headers.get('etag') },
      });
      expect((await put(3, { 'if-match': `W/${second.headers.get('etag')}` })).status).toBe(412);
      expect((await put(3, { 'if-match': 'no quotes' })).status).toBe(400);
      expect((await server().call({ path: at(plan, 'k') })).body.value).toBe(2);
    });

    it('lets exactly one of many concurrent writers win', async () => {
      const plan = newPlan();
      const { headers } = await server().call({ method: 'PUT', path: at(plan, 'k'), body: { value: 0 } });
      const etag = headers.get('etag') ?? '';
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, value) =>
          server().call({ method: 'PUT', path: at(plan, 'k'), body: { value }, headers: { 'if-match': etag } }),
        ),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 412)).toHaveLength(19);
    });

    it('checks If-Match on DELETE', async () => {
      const plan = newPlan();
      const { headers } = await server().call({ method: 'PUT', path: at(plan, 'k'), body: { value: 0 } });
      const remove = (etag: string) =>
        server().call({ method: 'DELETE', path: at(plan, 'k'), headers: { 'if-match': etag } });
      expect((await remove('"stale"')).status).toBe(412);
      expect((await remove(headers.get('etag') ?? '')).status).toBe(204);
      expect((await remove('*')).status).toBe(404);
    });
  });

  describe('list and delete', () => {
    it('pages through a plan by key and returns each value once', async () => {
      const plan = newPlan();
      const keys = Array.from({ length: 45 }, (_, index) => `k${String(index).padStart(2, '0')}`);
      await Promise.all(keys.map((key) => server().call({ method: 'PUT', path: at(plan, key), body: { value: key } })));
      const seen: string[] = [];
      let cursor = '';
      const counts: number[] = [];
      do {
        const { body } = await server().call({ path: `${at(plan)}?${cursor}` });
        expect(body.plan_id).toBe(plan);
        expect(body.count).toBe(body.entries.length);
        counts.push(body.count);
        seen.push(...body.entries.map((entry: { key: string }) => entry.key));
        cursor = body.next_cursor === undefined ? '' : `cursor=${body.next_cursor}`;
      } while (cursor !== '');
      expect(seen).toEqual(keys);
      expect(counts).toEqual([20, 20, 5]);
    });

    it('orders keys by code units on every database', async () => {
      const plan = newPlan();
      for (const key of ['b', 'B', 'a-1', 'a.1', 'a1', '_', '~'.replace('~', 'z')]) {
        await server().call({ method: 'PUT', path: at(plan, key), body: { value: 0 } });
      }
      const { body } = await server().call({ path: at(plan) });
      expect(body.entries.map((entry: { key: string }) => entry.key)).toEqual(['B', '_', 'a-1', 'a.1', 'a1', 'b', 'z']);
    });

    it('lists only the keys that begin with a prefix', async () => {
      const plan = newPlan();
      for (const key of ['a', 'b', 'b:1', 'b:2', 'bz', 'B:1', 'c']) {
        await server().call({ method: 'PUT', path: at(plan, key), body: { value: 0 } });
      }
      const list = async (query: string) => (await server().call({ path: `${at(plan)}?${query}` })).body;
      const keys = ({ entries }: { entries: { key: string }[] }) => entries.map(({ key }) => key);
      expect(keys(await list('prefix=b'))).toEqual(['b', 'b:1', 'b:2', 'bz']);
      const page = await list('prefix=b:&limit=1');
      expect(keys(page)).toEqual(['b:1']);
      expect(keys(await list(`prefix=b:&limit=1&cursor=${page.next_cursor}`))).toEqual(['b:2']);
      expect(keys(await list(`prefix=c&cursor=${page.next_cursor}`))).toEqual(['c']);
      expect(keys(await list('prefix=d'))).toEqual([]);
    });

    it.each([
      'limit=0',
      'limit=101',
      'prefix=',
      'prefix=%25',
      'limit=ten',
      'limit=1.5',
      'cursor=%00',
      'cursor=bogus',
      'cursor=W10',
      'page=2',
    ])('rejects ?%s', async (query) => {
      expect((await server().call({ path: `${at('p')}?${query}` })).status).toBe(400);
    });

    it('deletes a value and then returns 404', async () => {
      const plan = newPlan();
      await server().call({ method: 'PUT', path: at(plan, 'k'), body: { value: 1 } });
      expect((await server().call({ method: 'DELETE', path: at(plan, 'k') })).status).toBe(204);
      expect((await server().call({ method: 'DELETE', path: at(plan, 'k') })).status).toBe(404);
      expect((await server().call({ path: at(plan, 'k') })).status).toBe(404);
    });

    it('clears one plan and no other', async () => {
      const [plan, other] = [newPlan(), newPlan()];
      for (const key of ['a', 'b', 'c']) {
        await server().call({ method: 'PUT', path: at(plan, key), body: { value: 1 } });
      }
      await server().call({ method: 'PUT', path: at(other, 'a'), body: { value: 1 } });
      const cleared = await server().call({ method: 'DELETE', path: at(plan) });
      expect(cleared.status).toBe(200);
      expect(cleared.body).toEqual({ deleted_count: 3, plan_id: plan });
      expect((await server().call({ method: 'DELETE', path: at(plan) })).body.deleted_count).toBe(0);
      expect((await server().call({ path: at(other) })).body.count).toBe(1);
    });
  });

  describe('ownership', () => {
    it('isolates users, tenants and similar ids', async () => {
      const plan = newPlan();
      await server().call({ method: 'PUT', path: at(plan, 'k'), body: { value: 'mine' } });
      for (const request of [{ user: 'u10' }, { user: 'U1' }, { tenant: 't10' }, { tenant: 't2', user: 'u1' }]) {
        const token = await server().token(request);
        expect((await server().call({ path: at(plan, 'k'), token })).status).toBe(404);
        expect((await server().call({ path: at(plan), token })).body.count).toBe(0);
        expect((await server().call({ method: 'DELETE', path: at(plan), token })).body.deleted_count).toBe(0);
      }
      expect((await server().call({ path: at(plan, 'k') })).body.value).toBe('mine');
    });

    it('lets only a service act for another user', async () => {
      const plan = newPlan();
      const service = await server().token({ user: 'robot', service: 'crm', roles: ['service'] });
      const put = await server().call({
        method: 'PUT',
        path: at(plan, 'k'),
        body: { value: 'for u1', user_id: 'u1' },
        token: service,
      });
      expect(put.status).toBe(200);
      expect((await server().call({ path: at(plan, 'k') })).body.value).toBe('for u1');
      expect((await server().call({ path: `${at(plan, 'k')}?user_id=u1`, token: service })).status).toBe(200);
      expect((await server().call({ path: at(plan, 'k'), token: service })).status).toBe(404);
      const stranger = await server().token({ user: 'u2' });
      const foreign = { value: 'no', user_id: 'u1' };
      expect((await server().call({ method: 'PUT', path: at(plan, 'k'), body: foreign, token: stranger })).status).toBe(
        403,
      );
      expect((await server().call({ path: `${at(plan, 'k')}?user_id=u1`, token: stranger })).status).toBe(403);
      expect((await server().call({ path: `${at(plan, 'k')}?user_id=u1` })).status).toBe(200);
    });

    it('returns 403 to an operator', async () => {
      const token = await server().token({ roles: ['operator'] });
      expect((await server().call({ path: at('p', 'k'), token })).status).toBe(403);
    });
  });
});
