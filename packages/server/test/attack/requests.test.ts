import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arbitraryOf } from '../support/arbitrary-request.js';
import { isFull, report, timeoutMs } from '../support/attack-report.js';
import { attackedRoutes } from '../support/attack-requests.js';
import { forgeToken } from '../support/forge-token.js';
import { type LoggedServer, startLoggedServer } from '../support/logged-server.js';

const runs = isFull ? 300 : 2;

/** Ids that the requests use again and again, so that they meet each other's data. */
const known = {
  ...{ tenant_id: 't1', user_id: 'u1', workspace_id: 'u1', agent_id: 'a', plan_id: 'p', key: 'k', session_id: 's' },
  ...{ task_id: 't', external_id: 'e', conversation_id: 'c', profile_id: 'project-copilot-v1', namespace: 'user' },
  ...{ path: 'user_dynamic.json', binding_id: 'user_dynamic', name: 'workspace:u1', op: 'add' },
};

/** Words of stack traces, SQL and driver errors. */
const innards =
  /node_modules|\/dist\/|\.ts:\d|\bat \w+ \(|SELECT |INSERT INTO|syntax error at|duplicate key value|pg_|memhall\.\w+_/;

/** After these, there may be nothing left, or no token that is accepted. */
const lastOnes = ['tokenRevocations.create', 'tenants.erase'];

const answering = attackedRoutes
  .filter(
    ({ listener, route }) =>
      listener === 'main' &&
      !route.upload &&
      Object.values(route.responses).every(({ contentType }) => contentType !== 'text/event-stream'),
  )
  .toSorted((one, other) => lastOnes.indexOf(one.route.operation) - lastOnes.indexOf(other.route.operation));

describe('generated requests', () => {
  let server: LoggedServer;
  let tokens: string[];
  const counted = { requests: 0, failed: 0 };
  beforeAll(async () => {
    server = await startLoggedServer();
    tokens = [forgeToken(), forgeToken({ roles: ['admin'] })];
  });
  afterAll(() => server.close());

  it.each(answering)('$route.operation', { timeout: timeoutMs }, async ({ route }) => {
    const { params, query, headers, body } = route.request;
    const part = (schema: typeof params) => (schema === undefined ? fc.constant({}) : arbitraryOf(schema, known));
    const request = fc.record({
      ...{ params: part(params), query: part(query), headers: part(headers), token: fc.constantFrom(...tokens) },
      body: body === undefined ? fc.constant(undefined) : arbitraryOf(body, known),
    });
    await fc.assert(
      fc.asyncProperty(request, async (sent) => {
        const { status, text } = await send(route.method, route.path, sent);
        counted.requests += 1;
        if (status >= 500) counted.failed += 1;
        expect({ status, sent, text: status >= 500 ? text : '' }).toMatchObject({
          status: expect.toSatisfy((one) => one < 500),
        });
        if (status >= 400) expect(text).not.toMatch(innards);
      }),
      { numRuns: runs, ...(isFull ? {} : { seed: 7 }) },
    );
  });

  it('leave no error in the log', (context) => {
    const failed = server.logLines().filter(({ level }) => level >= 50);
    expect(failed).toEqual([]);
    report(context, 'requests', counted);
  });

  async function send(method: string, template: string, sent: Record<string, unknown>) {
    const inPath = toFields(sent.params);
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(toText(inPath[name]) || 'x'));
    const search = new URLSearchParams(
      Object.entries(toFields(sent.query)).map(([name, value]) => [name, toText(value)]),
    );
    const headers = new Headers({ authorization: `Bearer ${sent.token}` });
    for (const [name, value] of Object.entries(toFields(sent.headers))) {
      const clean = toText(value).replace(/[^\x20-\x7e]/g, '');
      if (/^[\w-]+$/.test(name)) headers.set(name, clean);
    }
    if (sent.body !== undefined) headers.set('content-type', 'application/json');
    const response = await fetch(`${server.url}${path}?${search}`, {
      ...{ method, headers },
      body: sent.body === undefined || method === 'GET' ? null : JSON.stringify(sent.body),
    });
    return { status: response.status, text: await response.text() };
  }
});

function toFields(value: unknown): Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function toText(value: unknown): string {
  return (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed();
}
