import { beforeAll, expect, it } from 'vitest';
import { mcpTools } from '../../src/surfaces/mcp/mcp-tools.js';
import { isFull, report, timeoutMs } from '../support/attack-report.js';
import {
  type AttackedRoute,
  attackedRoutes,
  membersOf,
  type Names,
  requestTo,
  sampleOf,
} from '../support/attack-requests.js';
import { combinations, createVictim, type Victim } from '../support/attack-victim.js';
import { describeEachDatabase, describeOneDatabase } from '../support/databases.js';
import { type Call, type TestServer, useServer } from '../support/server.js';

interface Sent extends Call {
  url: string;
  method: string;
  token: string;
  form?: FormData;
}

interface Attacker {
  name: string;
  token: string;
  userKey: string;
}

/** Ids that are almost those of the victim, or match it in a pattern or a path. */
const almostVictim = [
  'victim ',
  'VICTIM',
  'victi',
  'victim1',
  '%',
  '*',
  '_ictim',
  'victim%00',
  '../victim',
  "' OR '1'='1",
];

/** What the same question is answered with: everything but what differs from request to request. */
const withoutRequestId = (text: string) => text.replace(/"request_id":"[^"]*"/g, '');

/** Streams stay open without an answer. */
const answering = attackedRoutes.filter(({ route }) =>
  Object.values(route.responses).every(({ contentType }) => contentType !== 'text/event-stream'),
);

const describeDatabases = isFull ? describeEachDatabase : describeOneDatabase;

describeDatabases("isolation: nobody else's token gets at the data of a user", (database) => {
  const server = useServer(database);
  let victim: Victim;
  let attackers: Attacker[];
  let before: Map<string, string>;

  beforeAll(async () => {
    victim = await createVictim(server(), 't1', 'victim');
    attackers = await createAttackers(server());
    before = await readAsVictim(server(), victim);
  }, timeoutMs);

  const ask = (attacked: AttackedRoute, names: Names, token: string) => {
    const url = (attacked.listener === 'main' ? server().url : server().pluginUrl) ?? '';
    return send({ url, ...requestTo(attacked, names), token });
  };

  const send = async ({ url, method, path, headers, body, form, token }: Sent) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: form ?? (body === undefined ? null : JSON.stringify(body)),
    });
    return { status: response.status, text: await response.text() };
  };

  it('is tried with an id of the victim for every parameter of every path', () => {
    const parameters = attackedRoutes.flatMap(({ route }) => membersOf(route.request.params));
    expect(parameters.filter((name) => victim.names[name] === undefined)).toEqual([]);
  });

  it('is tried with data that its owner can read', () => {
    const found = [...before.values()].filter((text) => text.includes(victim.canary));
    expect(found.length).toBeGreaterThan(15);
  });

  const counted = { probes: 0, leaks: 0 };

  it.each(mcpTools.map(({ name, input }) => ({ name, input })))(
    'the tool $name',
    { timeout: timeoutMs },
    async ({ name, input }) => {
      const leaks: unknown[] = [];
      for (const { name: attacker, token } of attackers) {
        for (const names of combinations({ ...victim.names, namespace: ['workspace:victim', 'org:t1'] })) {
          const params = { name, arguments: sampleOf(input, names) };
          const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
          const headers = { accept: 'application/json, text/event-stream' };
          const answer = await send({ url: server().url, method: 'POST', path: '/mcp', headers, body, token });
          counted.probes += 1;
          if (answer.status >= 500 || answer.text.includes(victim.canary)) leaks.push({ attacker, names, answer });
          if (!isFull) break;
        }
      }
      counted.leaks += leaks.length;
      expect(leaks).toEqual([]);
    },
  );

  it.each(answering)('$route.operation', { timeout: timeoutMs }, async ({ listener, route }) => {
    const attacked = { listener, route };
    const leaks: unknown[] = [];
    let probes = 0;
    for (const { name, token, userKey } of attackers) {
      const users = isFull ? ['victim', ...almostVictim] : ['victim'];
      const values = { ...victim.names, user_id: users, user_key: [userKey] };
      const tried = new Set<string>();
      for (const names of combinations(values)) {
        const request = JSON.stringify(requestTo(attacked, { ...names })).replace(/"idempotency-key":"[^"]*"/, '');
        if (tried.has(request) || (!isFull && tried.size > 0)) continue;
        tried.add(request);
        const { status, text } = await ask(attacked, names, token);
        probes += 1;
        if (status >= 500 || text.includes(victim.canary)) leaks.push({ name, names, status, text });
      }
    }
    counted.probes += probes;
    counted.leaks += leaks.length;
    expect(leaks).toEqual([]);
  });

  it('leaves what the victim reads as it was', { timeout: timeoutMs }, async (context) => {
    const after = await readAsVictim(server(), victim);
    expect(Object.fromEntries(after)).toEqual(Object.fromEntries(before));
    report(context, 'isolation', counted);
  });

  /** Returns what the victim, and an administrator about it, get from every route that only reads. Anybody may publish entries. */
  async function readAsVictim(from: TestServer, { names, userKey }: Victim): Promise<Map<string, string>> {
    const told = new Map<string, string>();
    const published = await idsForAnybody(from);
    const readers = [await from.token({ user: 'victim' }), await from.token({ user: 'boss', roles: ['admin'] })];
    for (const attacked of attackedRoutes) {
      const { operation, method, access } = attacked.route;
      const reads = method === 'GET' || /\.(?:search|query|recall|read)$/.test(operation);
      // Reading a snapshot and exporting leave an audit record.
      if (!reads || access === 'open' || access === 'local' || /readSnapshot|memory\.export|mcp/.test(operation))
        continue;
      for (const [index, token] of readers.entries()) {
        for (const one of combinations({
          ...names,
          user_key: [userKey],
          is_public: [false],
          include_public: [false],
        })) {
          const key = `${operation} ${index} ${JSON.stringify(requestTo(attacked, one))}`;
          if (told.has(key)) continue;
          const { status, text } = await ask(attacked, one, token);
          told.set(key, `${status} ${withoutOthers(withoutRequestId(text), published)}`);
        }
      }
    }
    return told;
  }
});

/** Returns the ids of changes that a user without anything sees: of what attackers made public. */
async function idsForAnybody(server: TestServer): Promise<ReadonlySet<string>> {
  const token = await server.token({ user: 'bystander' });
  const ids = new Set<string>();
  for (let after = ''; ; ) {
    const { body } = await server.call({ method: 'GET', path: `/v1/changes?limit=500${after}`, token });
    for (const { id } of body.changes) ids.add(id);
    if (body.changes.length === 0) return ids;
    after = `&after=${body.next_cursor}`;
  }
}

/** Leaves out changes that anybody sees, and when cursors were issued. */
function withoutOthers(text: string, published: ReadonlySet<string>): string {
  if (!text.startsWith('{"changes":')) return text;
  const { changes }: { changes: { id: string; cursor: string }[] } = JSON.parse(text);
  return JSON.stringify(changes.flatMap(({ cursor: _, ...change }) => (published.has(change.id) ? [] : [change])));
}

async function createAttackers(server: TestServer): Promise<Attacker[]> {
  const admin = await server.token({ user: 'boss', roles: ['admin'] });
  const made = await server.call({ method: 'POST', path: '/users', body: { user_id: 'stranger' }, token: admin });
  const userKey: string = made.body.user_key;
  const of = async (name: string, request: Parameters<TestServer['token']>[0]): Promise<Attacker> => ({
    ...{ name, userKey },
    token: await server.token(request),
  });
  return [
    { name: 'nobody', token: '', userKey: '' },
    await of('another user of the tenant', { user: 'stranger' }),
    await of('a user whose name begins alike', { user: 'victim1' }),
    await of('an operator of the tenant', { user: 'stranger', roles: ['operator'] }),
    await of('the same user of another tenant', { tenant: 't2', user: 'victim' }),
    await of('a service of another tenant', { tenant: 't2', user: 'victim', roles: ['service'] }),
    await of('an administrator of another tenant', { tenant: 't2', user: 'victim', roles: ['admin'] }),
    await of('a tenant whose name begins alike', { tenant: 't', user: 'victim', roles: ['admin'] }),
  ];
}
