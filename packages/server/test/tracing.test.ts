import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOneDatabase } from './support/databases.js';
import { startTestServer, type TestServer } from './support/server.js';
import { type CollectedSpan, TraceCollector } from './support/trace-collector.js';

const server = 2;
const client = 3;
const path = '/v1/memory/working/secret-plan/secret-key';

function attribute(span: CollectedSpan | undefined, key: string): unknown {
  return Object.values(span?.attributes.find((one) => one.key === key)?.value ?? {})[0];
}

describeOneDatabase('tracing', (database) => {
  const collector = new TraceCollector();
  let tested: TestServer;
  beforeAll(async () => {
    await collector.start();
    tested = await startTestServer(database(), { otlpEndpoint: collector.url });
  });
  afterAll(async () => {
    await tested.close();
    collector.stop();
  });

  let traces = 0;
  /** Calls the server as part of an existing trace and returns its spans. */
  async function traced(operation: string, call: Parameters<TestServer['call']>[0]) {
    traces += 1;
    const traceId = traces.toString(16).padStart(32, database().kind === 'embedded' ? 'e' : 'f');
    const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
    const answer = await tested.call({ ...call, headers: { traceparent } });
    const spans = await collector.trace(traceId, operation);
    const root = spans.find((span) => span.name === operation);
    return { answer, root, spans, children: spans.filter((span) => span.parentSpanId === root?.spanId) };
  }

  it('continues the caller’s trace with one span per request and one per statement', async () => {
    for (const [operation, call] of [
      ['working.put', { method: 'PUT', path, body: { value: 'secret-value' } }],
      ['working.get', { path }],
      ['working.delete', { method: 'DELETE', path }],
    ] as const) {
      const { answer, root, spans, children } = await traced(operation, call);
      expect(root).toMatchObject({ kind: server, parentSpanId: '00f067aa0ba902b7' });
      expect(attribute(root, 'http.route')).toBe('/v1/memory/working/{plan_id}/{key}');
      expect(attribute(root, 'http.response.status_code')).toBe(answer.status);
      expect(attribute(root, 'memhall.request_id')).toBe(answer.headers.get('x-request-id'));
      expect(children).toHaveLength(spans.length - 1);
      const statements = children.map((span) => String(attribute(span, 'db.query.text')));
      expect(children.every(({ kind }) => kind === client)).toBe(true);
      expect(statements[0]).toMatch(/^BEGIN/);
      expect(statements.some((text) => text.includes('working_values'))).toBe(true);
    }
  });

  it('stores a new memory without looking it up first', async () => {
    const body = { agent_id: 'a', session_id: 's', role: 'user', content: 'The heron stands in the reeds.' };
    const call = { method: 'POST', path: '/v1/memory/episodic', body } as const;
    await traced('episodic.log', call);
    const { answer, children } = await traced('episodic.log', call);
    expect(answer.status).toBe(201);
    const statements = children.map((span) => String(attribute(span, 'db.query.text')));
    // Before it stores anything, it looks whether the session is off the record.
    const look = ['BEGIN', 'SELECT', 'SELECT'];
    expect(statements.map((text) => text.split(/\s/u)[0])).toEqual([
      ...look,
      // The last one lists the change and what webhooks are sent of it.
      ...['BEGIN', 'SELECT', 'INSERT', 'SELECT', 'WITH', 'COMMIT'],
    ]);
  });

  it('starts a new trace if the caller sends none or an invalid one', async () => {
    const before = collector.spans.length;
    await tested.call({ path });
    await tested.call({ path, headers: { traceparent: 'nonsense' } });
    const seen = () => collector.spans.slice(before).filter(({ name }) => name === 'working.get').length;
    await expect.poll(seen, { timeout: 10_000 }).toBe(2);
    const roots = collector.spans.slice(before).filter(({ name }) => name === 'working.get');
    expect(roots.map(({ parentSpanId }) => parentSpanId || undefined)).toEqual([undefined, undefined]);
    expect(roots[0]?.traceId).not.toBe(roots[1]?.traceId);
  });

  it('keeps the spans of concurrent requests apart', async () => {
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        traced('working.put', { method: 'PUT', path: `${path}${index}`, body: { value: index } }),
      ),
    );
    for (const { spans, children } of all) expect(children).toHaveLength(spans.length - 1);
  });

  it('records no values, ids or tokens', async () => {
    await traced('working.put', { method: 'PUT', path, body: { value: 'secret-value' } });
    expect(JSON.stringify(collector.spans)).not.toMatch(/secret-|eyJ|"t1"|"u1"/);
  });
});
