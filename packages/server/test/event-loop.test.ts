import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mainSurfaces, pluginSurfaces } from '../src/composition/surfaces.js';
import type { Route } from '../src/http/route.js';
import { startServer } from '../src/main.js';
import type { RunningServer } from '../src/running-server.js';
import { createTestDatabase } from './support/databases.js';
import { expectProblem } from './support/expect-problem.js';
import { forgeSecret, forgeToken } from './support/forge-token.js';
import { keepLog } from './support/keep-log.js';
import { type Answer, send } from './support/server.js';

const path = '/v1/memory/working/p/k';
const token = forgeToken();

/** Blocks the event loop, which the server shares with this test. */
function block(forMs: number): void {
  for (const endMs = performance.now() + forMs; performance.now() < endMs; );
}

it('is only passed by routes that show how the service is', () => {
  const routes = [...mainSurfaces, ...pluginSurfaces].flatMap((surface): readonly Route<never>[] => surface.routes);
  const passing = routes.filter(({ alwaysAnswers }) => alwaysAnswers).map(({ operation }) => operation);
  expect(passing.sort()).toEqual(['health.get', 'metrics.get', 'plugin.health', 'ready.get']);
});

describe('a server whose event loop is blocked', () => {
  const { logger, log } = keepLog();
  const lines = () =>
    log()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  const stalls = () =>
    lines().flatMap(({ level, operation, delay_ms, msg }) =>
      delay_ms && operation ? [{ level, operation, delay_ms, msg }] : [],
    );
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let server: RunningServer;
  beforeAll(async () => {
    database = await createTestDatabase('embedded');
    server = await startServer(database.config({ jwtSecret: forgeSecret, stallMs: '5', shedDelayMs: '400' }), logger);
  });
  afterAll(async () => {
    await server.close();
    await database.remove();
  });

  const get = (target: string): Promise<Answer> => send(server.url, { path: target, token });
  const metric = async (name: string) => {
    const { body } = await get('/metrics');
    return new RegExp(`^${name} (.+)$`, 'm').exec(body)?.[1];
  };

  it('logs and counts the delay, with the operation that caused it', async () => {
    expect((await get(path)).status).toBe(404);
    await sleep(40);
    block(250);
    await sleep(40);
    expect(stalls()).toContainEqual({
      ...{ level: 40, operation: 'none', delay_ms: expect.toSatisfy((ms) => ms > 200) },
      msg: 'the event loop was blocked',
    });
    expect(Number(await metric('memhall_event_loop_stall_seconds_count.operation="none".'))).toBeGreaterThan(0);
    expect(Number(await metric('memhall_event_loop_delay_seconds_count'))).toBeGreaterThan(1);
  });

  it('names the request whose body, work or response took the time', async () => {
    const body = { value: Array.from({ length: 100_000 }, (_, index) => index) };
    const blamed = (operation: string) => stalls().some((stall) => stall.operation === operation);
    while (!blamed('working.put')) await send(server.url, { method: 'PUT', path, body, token });
    while (!blamed('working.get')) await get(path);
  });

  it('refuses new requests while that lasts, and says so', async () => {
    expect((await get('/ready')).body).toEqual({ ready: true });
    while ((await metric('memhall_shedding')) === '0') {
      block(800);
      await sleep(25);
    }
    const refused = await get(path);
    expectProblem(refused, 'UNAVAILABLE');
    expect(refused.headers.get('retry-after')).toBe('3');
    expect((await get('/nowhere')).status).toBe(503);
    const ofPlugin = await send(server.pluginUrl ?? '', { path: '/v1/namespaces' });
    expect([ofPlugin.status, ofPlugin.body.code]).toEqual([503, 'unavailable']);
    const ready = await get('/ready');
    expect([ready.status, ready.body]).toEqual([503, { ready: false }]);
    expect((await get('/health')).body.status).toBe('ok');
    expect((await send(server.pluginUrl ?? '', { path: '/v1/health' })).status).toBe(200);
    expect(await metric('memhall_requests_shed_total')).toBe('3');
  });

  it('accepts them again when the delay is low', async () => {
    while ((await metric('memhall_shedding')) === '1') await sleep(100);
    expect((await get(path)).status).toBe(200);
    expect((await get('/ready')).status).toBe(200);
    const changes = lines().filter(({ msg }) => /shedding|again/.test(msg));
    expect(changes.map(({ level, msg }) => [level, msg]).slice(0, 2)).toEqual([
      [50, 'shedding load: the event loop stays late'],
      [30, 'accepting requests again'],
    ]);
    expect(lines().filter(({ msg }) => msg === 'request failed')).toEqual([]);
  });
});
