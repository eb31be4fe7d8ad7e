import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { OpenLoop } from './open-loop.mjs';
import { Outcomes } from './outcomes.mjs';
import { Times } from './times.mjs';

const text = 'GET / HTTP/1.1\r\nHost: test\r\n\r\n';
let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function send(
  listener: RequestListener,
  { rate = 100, seconds = 1, timeoutMs = 5000, connections = 50, tenant = (): number => 1 } = {},
) {
  server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const outcomes = new Outcomes(500);
  const urls = [`http://127.0.0.1:${port}`];
  const loop = new OpenLoop({
    ...{ urls, connections, timeoutMs },
    onOutcome: (due, outcome) => outcomes.add({ ...due, ...outcome }),
  });
  const next = (dueMs: number) => ({ text, operation: 'get', tenant: tenant(), dueMs });
  await loop.run({ rate, seconds, warmUpSeconds: 0, next });
  return outcomes.summarise();
}

describe('a constant rate', () => {
  it('is measured as slow for all that came while the server stood still', async () => {
    const sinceMs = performance.now();
    const { succeeded } = await send(async (_request, response) => {
      await sleep(Math.max(0, 500 - (performance.now() - sinceMs)));
      response.end('answer');
    });
    expect(succeeded.count).toBe(100);
    // Callers that wait would have sent one slow request each, and 50 fast ones after it.
    expect(succeeded.p90).toBeGreaterThan(350);
    expect(succeeded.p50).toBeLessThan(succeeded.p90 / 2);
  });

  it('counts the time from when a request was due, also if it waited for a connection', async () => {
    const { succeeded } = await send(
      async (_request, response) => {
        await sleep(50);
        response.end('answer');
      },
      { connections: 1, rate: 40 },
    );
    expect(succeeded.count).toBe(40);
    expect(succeeded.max).toBeGreaterThan(900);
  });

  it('tells what was refused from what was lost and what took too long', async () => {
    let count = 0;
    const found = await send(
      (_request, response) => {
        count += 1;
        if (count % 4 === 0) response.writeHead(503, { 'retry-after': '1', 'content-length': 4 }).end('busy');
        else if (count % 4 === 1) response.writeHead(429, { 'content-length': 4 }).end('busy');
        else if (count % 4 === 2) response.destroy();
      },
      { rate: 40, timeoutMs: 300, connections: 40, tenant: () => count % 2 },
    );
    expect(found.refusedByStatus).toEqual({ 429: 10, 503: 10 });
    expect([found.shed.count, found.shedWithoutRetryAfter, found.lost, found.timedOut]).toEqual([20, 10, 10, 10]);
    expect(found.succeeded.count).toBe(0);
    expect(found.busiestTenant.sent + found.otherTenants.sent).toBe(40);
    expect(found.intervals.map(({ refused, unanswered }) => refused + unanswered)).toEqual([20, 20]);
  });
});

it('summarises times to three digits', () => {
  const times = new Times();
  for (let ms = 1; ms <= 1000; ms++) times.add(ms / 10);
  const { count, p50, p99, max } = times.summarise();
  expect(count).toBe(1000);
  for (const [found, wanted] of [
    [p50, 50],
    [p99, 99],
    [max, 100],
  ] as const) {
    expect(Math.abs(found - wanted) / wanted).toBeLessThan(0.002);
  }
});
