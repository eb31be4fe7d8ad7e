import { MemhallError, OneMemoryClient, verifyWebhook } from '@memhall/client/one-memory';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { flagsOf, type ServerProcess, spawnServer } from './support/command.js';
import { describeOneDatabase } from './support/databases.js';
import { forgeSecret, forgeToken } from './support/forge-token.js';
import { send } from './support/server.js';
import { startWebhookEndpoint, type WebhookEndpoint } from './support/webhook-endpoint.js';

const secret = 'a secret of the endpoint';
const patience = { timeout: 30_000, interval: 50 };

interface Delivered {
  id: string;
  webhook: string;
  changes: { operation: string; kind: string; id: string; user_id?: string; namespace?: string }[];
}

describeOneDatabase('a webhook', (database) => {
  let endpoint: WebhookEndpoint;
  let server: ServerProcess;
  beforeAll(async () => {
    endpoint = await startWebhookEndpoint();
    server = await spawnServer(flagsOf(database()), {
      MEMHALL_JWT_SECRET: forgeSecret,
      MEMHALL_WEBHOOK_NETWORKS: '127.0.0.0/8',
      NODE_EXTRA_CA_CERTS: endpoint.certificate,
    });
  });
  afterAll(async () => {
    server?.child.kill('SIGTERM');
    await server?.ended;
    endpoint?.close();
  });

  const connect = (user: string, claims: object = {}, tenant = 't1') =>
    new OneMemoryClient({ baseUrl: server.url, token: forgeToken({ user_id: user, tenant_id: tenant, ...claims }) });
  const admin = (tenant = 't1') => connect('boss', { roles: ['admin'] }, tenant);
  const bodies = (path: string): Delivered[] => endpoint.received(path).map(({ body }) => JSON.parse(body));
  const changes = (path: string) =>
    bodies(path)
      .flatMap((body) => body.changes)
      .filter(({ kind }) => kind !== 'namespace');
  const put = (name: string, events: string[] = ['*'], tenant = 't1') =>
    admin(tenant).putWebhook(tenant, name, { url: `${endpoint.url}/${name}`, events, secret });

  it('learns what changed, in order, with ids only and a signature that the client verifies', async () => {
    await put('all');
    const ann = connect('ann', { team_id: 'herons' });
    const own = await ann.remember('The heron came back.');
    const shared = await ann.remember({ content: 'Herons nest in trees.', namespace: 'team:herons' });
    await ann.forgetMemory(own.id);
    await vi.waitFor(() => expect(changes('/all')).toHaveLength(3), patience);
    expect(changes('/all').toSorted((a, b) => a.operation.localeCompare(b.operation))).toEqual([
      { at: expect.any(String), operation: 'memory.forget', kind: 'note', id: own.id, user_id: 'ann' },
      { at: expect.any(String), operation: 'memory.remember', kind: 'note', id: own.id, user_id: 'ann' },
      {
        ...{ at: expect.any(String), operation: 'memory.remember', kind: 'note', id: shared.id, user_id: 'ann' },
        namespace: 'team:herons',
      },
    ]);
    const [first] = endpoint.received('/all');
    const received = { body: first?.body ?? '', signature: first?.headers['memhall-signature'], secret };
    expect(await verifyWebhook(received)).toMatchObject({ id: first?.headers['memhall-delivery'], webhook: 'all' });
    expect(JSON.stringify(endpoint.received('/all'))).not.toContain('heron came');
    await expect(verifyWebhook({ ...received, secret: 'another secret of it' })).rejects.toThrow('does not match');
    await expect(verifyWebhook({ ...received, body: `${first?.body} ` })).rejects.toThrow('does not match');
    await expect(verifyWebhook({ ...received, signature: undefined })).rejects.toThrow('no valid Memhall-Signature');
    await expect(verifyWebhook({ ...received, toleranceSeconds: -1 })).rejects.toThrow('more than -1 seconds ago');
    await admin().deleteWebhook('t1', 'all');
  });

  it('learns only of the events it names, and of no other tenant', async () => {
    await put('forgotten', ['memory.forget']);
    await put('facts', ['facts.*']);
    await put('other', ['*'], 't2');
    const bea = connect('bea');
    const { id } = await bea.remember('A note.');
    await bea.putFact({ subject: 'me', attribute: 'likes', value: 'tea' });
    await bea.forgetMemory(id);
    await vi.waitFor(() => {
      expect(changes('/forgotten').map(({ operation }) => operation)).toEqual(['memory.forget']);
      expect(changes('/facts').map(({ operation }) => operation)).toEqual(['facts.put']);
    }, patience);
    expect(bodies('/other')).toEqual([]);
    await expect(connect('eve').listWebhooks('t1')).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(admin('t2').listWebhooks('t1')).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('gets a delivery again until it accepts it, later changes after it, and the log says so', async () => {
    endpoint.respond('/slow', 500);
    await put('slow', ['memory.*']);
    const carl = connect('carl');
    const first = await carl.remember('The first.');
    await vi.waitFor(() => expect(bodies('/slow')).toHaveLength(1), patience);
    const second = await carl.remember('The second.');
    const [failing] = (await admin().listDeliveries('t1', 'slow', { status: 'waiting' })).deliveries;
    expect(failing).toMatchObject({ attempts: 1 });
    await vi.waitFor(
      () => expect(changes('/slow').map(({ id }) => id)).toEqual([first.id, first.id, second.id]),
      patience,
    );
    expect(bodies('/slow')[1]).toEqual(bodies('/slow')[0]);
    expect(endpoint.received('/slow').map(({ headers }) => headers['memhall-attempt'])).toEqual(['1', '2', '1']);
    await vi.waitFor(async () => {
      const { deliveries, next_cursor: cursor = '' } = await admin().listDeliveries('t1', 'slow', { limit: 1 });
      const rest = await admin().listDeliveries('t1', 'slow', { cursor });
      expect([...deliveries, ...rest.deliveries]).toMatchObject([
        { status: 'delivered', attempts: 1, response_status: 204, fault: null },
        { id: failing?.id, status: 'delivered', attempts: 2, response_status: 204, fault: null },
      ]);
    }, patience);
    const one = await admin().getDelivery('t1', 'slow', failing?.id ?? '');
    expect(one.changes).toMatchObject([{ id: first.id, user_id: 'carl' }]);
    await expect(admin().retryDelivery('t1', 'slow', failing?.id ?? '')).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('is sent again at once if an administrator asks for that or changes it', async () => {
    endpoint.respond('/later', 503, 301, 500);
    await put('later', ['memory.*']);
    await connect('dan').remember('Something.');
    const seen = async (attempts: number, fault: string) => {
      await vi.waitFor(async () => {
        const { deliveries } = await admin().listDeliveries('t1', 'later');
        expect(deliveries).toMatchObject([{ status: 'waiting', attempts, fault }]);
        expect(deliveries[0]?.next_attempt_at).toEqual(expect.any(String));
      }, patience);
      return (await admin().listDeliveries('t1', 'later')).deliveries[0]?.id ?? '';
    };
    const id = await seen(1, 'The endpoint responded with status 503.');
    await admin().retryDelivery('t1', 'later', id);
    await seen(2, 'The endpoint responded with status 301; redirects are not followed.');
    await admin().putWebhook('t1', 'later', { url: `${endpoint.url}/later`, events: ['memory.*'] });
    await seen(3, 'The endpoint responded with status 500.');
    await admin().putWebhook('t1', 'later', { url: `${endpoint.url}/moved`, events: ['memory.*'] });
    await vi.waitFor(() => expect(bodies('/moved')).toEqual([bodies('/later')[0]]), patience);
    expect(endpoint.received('/elsewhere')).toEqual([]);
  });

  it('can be tested', async () => {
    await put('tested');
    expect(await admin().testWebhook('t1', 'tested')).toEqual({
      ...{ accepted: true, response_status: 204, fault: null, duration_ms: expect.any(Number) },
    });
    expect(bodies('/tested')).toMatchObject([{ webhook: 'tested', tenant_id: 't1', changes: [] }]);
    for (const url of ['https://10.0.0.7/', 'https://[::1]/', 'https://169.254.169.254/latest']) {
      await admin().putWebhook('t1', 'tested', { url, events: ['*'] });
      const { accepted, fault } = await admin().testWebhook('t1', 'tested');
      expect([accepted, fault]).toEqual([false, expect.stringContaining('private, local or reserved')]);
    }
  });

  it('keeps nothing of people who were forgotten, and learns that they were', async () => {
    endpoint.respond('/erasing', 500, 500, 500, 500);
    await put('erasing', ['*'], 't3');
    const { id } = await connect('gone', {}, 't3').remember('Private.');
    await vi.waitFor(() => expect(changes('/erasing').map((one) => one.id)).toContain(id), patience);
    const token = forgeToken({ user_id: 'boss', tenant_id: 't3', roles: ['admin'] });
    const call = { method: 'DELETE', path: '/v1/tenants/t3/users/gone/memory', token };
    expect((await send(server.url, call)).body).toMatchObject({ counts: { webhook_events: 1 } });
    const { deliveries } = await admin('t3').listDeliveries('t3', 'erasing');
    const logged = await Promise.all(deliveries.map((one) => admin('t3').getDelivery('t3', 'erasing', one.id)));
    expect(JSON.stringify(logged)).not.toContain(id);
  });
});

describeOneDatabase('a webhook that is defined wrongly', (database) => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await spawnServer(flagsOf(database()), { MEMHALL_JWT_SECRET: forgeSecret });
  });
  afterAll(async () => {
    server?.child.kill('SIGTERM');
    await server?.ended;
  });

  it('is refused, and its secret is never shown', async () => {
    const token = forgeToken({ user_id: 'boss', roles: ['admin'] });
    const client = new OneMemoryClient({ baseUrl: server.url, token });
    const good = { url: 'https://example.org/hook', events: ['*'], secret };
    const bad: [object, string][] = [
      [{ url: 'http://example.org/' }, 'begins with https://'],
      [{ url: 'nonsense' }, 'begins with https://'],
      [{ url: 'https://u:p@example.org/' }, 'must not contain a user name'],
      [{ url: 'https://example.org/#x' }, 'must not contain a user name, a password or a fragment'],
      [{ events: [] }, 'events'],
      [{ events: ['memory'] }, 'events'],
      [{ secret: 'short' }, 'secret'],
      [{ secret: undefined }, 'needs a secret'],
    ];
    for (const [change, words] of bad) {
      const refused = await client.putWebhook('t1', 'bad', { ...good, ...change }).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(MemhallError);
      expect(refused).toMatchObject({ code: 'INVALID_REQUEST', message: expect.stringContaining(words) });
    }
    await client.putWebhook('t1', 'good', good);
    expect(JSON.stringify([await client.listWebhooks('t1'), await client.getWebhook('t1', 'good')])).not.toContain(
      secret,
    );
    expect((await client.testWebhook('t1', 'good')).accepted).toBe(false);
    await client.deleteWebhook('t1', 'good');
    await expect(client.deleteWebhook('t1', 'good')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const names = Array.from({ length: 20 }, (_, number) => `w${number}`);
    for (const name of names) await client.putWebhook('t1', name, good);
    await expect(client.putWebhook('t1', 'more', good)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect((await client.putWebhook('t1', 'w3', good)).name).toBe('w3');
  });
});
