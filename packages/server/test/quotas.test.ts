import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cheapestKind, createTestDatabase, type TestDatabase } from './support/databases.js';
import { expectProblem } from './support/expect-problem.js';
import { type Answer, startTestServer, type TestServer } from './support/server.js';

const path = '/v1/memory/working/p/k';

/** Runs a server with these settings for one suite. */
function useQuotas(settings: Record<string, string>) {
  let database: TestDatabase;
  let server: TestServer;
  beforeAll(async () => {
    database = await createTestDatabase(cheapestKind);
    server = await startTestServer(database, settings);
  });
  afterAll(async () => {
    await server.close();
    await database.remove();
  });

  type Who = NonNullable<Parameters<TestServer['token']>[0]>;
  const call = async (who: Who, query = '') => server.call({ path: path + query, token: await server.token(who) });
  /** Sends requests concurrently and returns the number that passed and the refused ones. */
  const flood = async (requests: number, one: () => Promise<Answer>) => {
    const answers = await Promise.all(Array.from({ length: requests }, one));
    const refused = answers.filter(({ status }) => status === 429);
    return { passed: answers.filter(({ status }) => status === 404 || status === 200).length, refused };
  };
  return { server: () => server, call, flood };
}

function expectQuotaProblem(answer: Answer | undefined, details: object): void {
  expectProblem(answer, 'QUOTA_EXCEEDED');
  expect(answer?.body.error.details).toEqual({ window_seconds: 60, ...details });
  const wait = answer?.headers.get('retry-after') ?? '';
  expect(wait).toMatch(/^\d+$/);
  expect(Number(wait)).toBeGreaterThan(0);
  expect(Number(wait)).toBeLessThanOrEqual(60);
}

describe('the default without quotas', () => {
  const { call, flood } = useQuotas({});

  it('rejects no request', async () => {
    const { passed, refused } = await flood(300, () => call({}));
    expect([passed, refused.length]).toEqual([300, 0]);
  });
});

describe('a tenant quota', () => {
  const { server, call, flood } = useQuotas({ quotaTenantPerMinute: '20' });

  it('limits concurrent requests of all users of a tenant to exactly the quota', async () => {
    let user = 0;
    const { passed, refused } = await flood(100, () => call({ tenant: 'busy', user: `u${user++ % 7}` }));
    expect([passed, refused.length]).toEqual([20, 80]);
    for (const answer of refused) expectQuotaProblem(answer, { scope: 'tenant', limit: 20 });
  });

  it('does not affect other tenants or public endpoints', async () => {
    expect((await flood(25, () => call({ tenant: 'spent' }))).refused).toHaveLength(5);
    expect((await flood(20, () => call({ tenant: 'spen' }))).passed).toBe(20);
    for (const open of ['/health', '/ready', '/metrics', '/docs', '/openapi.json']) {
      const token = await server().token({ tenant: 'spent' });
      expect((await server().call({ path: open, token })).status).toBe(200);
    }
  });

  it('does not count requests without a valid token or for other users', async () => {
    const bad = await flood(50, () => server().call({ path, token: 'nonsense' }));
    expect(bad.refused).toEqual([]);
    const foreign = await flood(50, () => call({ tenant: 'fresh' }, '?user_id=another'));
    expect(foreign.refused).toEqual([]);
    expect((await flood(20, () => call({ tenant: 'fresh' }))).passed).toBe(20);
  });

  it('counts failed requests', async () => {
    await flood(20, () => call({ tenant: 'clumsy' }, '?nonsense=1'));
    expect((await call({ tenant: 'clumsy' })).status).toBe(429);
  });
});

describe('a user quota', () => {
  const { server, call, flood } = useQuotas({ quotaUserPerMinute: '10', quotaTenantPerMinute: '30' });

  it('limits one user to exactly the quota and does not affect other users', async () => {
    const { passed, refused } = await flood(100, () => call({ tenant: 'a', user: 'greedy' }));
    expect([passed, refused.length]).toEqual([10, 90]);
    expectQuotaProblem(refused[0], { scope: 'user', limit: 10 });
    expect((await flood(10, () => call({ tenant: 'a', user: 'modest' }))).passed).toBe(10);
    expect((await flood(10, () => call({ tenant: 'b', user: 'greedy' }))).passed).toBe(10);
  });

  it('counts against the user a service names in the query or body', async () => {
    const service = { tenant: 'c', user: 'robot', roles: ['service'] };
    const token = await server().token(service);
    const put = (user: string) => server().call({ method: 'PUT', path, body: { value: 1, user_id: user }, token });
    expect((await flood(5, () => call(service, '?user_id=x'))).passed).toBe(5);
    const { passed, refused } = await flood(8, () => put('x'));
    expect([passed, refused.length]).toEqual([5, 3]);
    expectQuotaProblem(refused[0], { scope: 'user', limit: 10 });
    expect((await call({ tenant: 'c', user: 'x' })).status).toBe(429);
    expect((await put('y')).status).toBe(200);
    expect((await flood(10, () => call(service))).passed).toBe(10);
  });
});

describe('a service quota', () => {
  const { call, flood } = useQuotas({ quotaServicePerMinute: '10', quotaUserPerMinute: '15' });

  it('limits a service to exactly the quota, across users', async () => {
    let user = 0;
    const crm = () => call({ user: `u${user++ % 5}`, service: 'crm' });
    const { passed, refused } = await flood(60, crm);
    expect([passed, refused.length]).toEqual([10, 50]);
    expectQuotaProblem(refused[0], { scope: 'service', limit: 10 });
  });

  it('does not affect other services, other tenants or calls without a service', async () => {
    await flood(20, () => call({ tenant: 't9', service: 'crm' }));
    expect((await flood(10, () => call({ tenant: 't8', service: 'crm' }))).passed).toBe(10);
    expect((await flood(3, () => call({ tenant: 't9', service: 'shop' }))).passed).toBe(3);
    expect((await flood(2, () => call({ tenant: 't9' }))).passed).toBe(2);
    expect((await call({ tenant: 't9' })).status).toBe(429);
  });

  it('identifies the service by azp or appid if the token has no service_id', async () => {
    await flood(10, () => call({ tenant: 't7', user: 'a', claims: { azp: 'app-1', appid: 'app-2' } }));
    expect((await call({ tenant: 't7', user: 'b', service: 'app-1' })).status).toBe(429);
    expect((await call({ tenant: 't7', user: 'b', claims: { appid: 'app-1' } })).status).toBe(429);
    expect((await call({ tenant: 't7', user: 'b', claims: { appid: 'app-2' } })).status).toBe(404);
  });
});
