import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { signToken } from '../src/cli/sign-token.js';
import { type RunningWorker, startWorker } from '../src/composition/start-worker.js';
import { tokenSecret } from '../src/composition/token-verifier.js';
import { getReplay } from '../src/engine/conversations/replay-conversation.js';
import { takeSnapshot } from '../src/engine/conversations/take-snapshot.js';
import { describeOneDatabase } from './support/databases.js';
import { callerOf, useEngine } from './support/engine.js';
import { expectProblem } from './support/expect-problem.js';
import { send } from './support/server.js';

const silent = pino({ level: 'silent' });

describeOneDatabase('a worker', (database) => {
  const running = useEngine(database, { jobs: 'false' });

  async function withWorker(settings: Record<string, string>, use: (worker: RunningWorker) => Promise<void>) {
    const worker = await startWorker(database().config(settings), silent);
    try {
      await use(worker);
    } finally {
      await worker.close();
    }
  }

  it('reports the replays and document writes it did, and the state of the database', async () => {
    const { engine } = running();
    const caller = callerOf(`u-${randomUUID()}`);
    const messages = [{ id: 'm1', role: 'user' as const, content: 'My name is Dana. I prefer tea.' }];
    const input = { conversationId: 'c1', profileId: 'project-copilot-v1', messages, replay: true };
    const { replayId } = await takeSnapshot(engine, caller, input);
    await withWorker({}, async ({ metricsUrl }) => {
      const status = async () => (await getReplay(engine, caller, replayId ?? ''))?.status;
      await expect.poll(status, { timeout: 20_000 }).toBe('completed');
      const { origin } = new URL(metricsUrl ?? '');
      const { headers, body } = await send(origin, { path: '/metrics' });
      expect(headers.get('content-type')).toMatch(/^text\/plain/);
      expect(body).toContain('memhall_replays_total{outcome="completed"} 1');
      expect(body).toContain('memhall_document_writes_total{binding="user_dynamic",outcome="applied"} 2');
      expect(body).toMatch(/memhall_jobs_total\{job="replay",outcome="completed"\} 1/);
      expect(body).toContain('memhall_unresolved_patches{status="review"} 0');
      expect((await send(origin, { path: '/ready' })).body).toEqual({ ready: true });
      expect((await send(origin, { path: '/health' })).body).toMatchObject({ status: 'ok' });
      expectProblem(await send(origin, { path: '/openapi.json' }), 'NOT_FOUND');
    });
  });

  it('shows its metrics to operators and callers on the same machine only', async () => {
    const secret = (await tokenSecret(database().config())) ?? '';
    await withWorker({ jwtSecret: secret }, async ({ metricsUrl }) => {
      const { origin } = new URL(metricsUrl ?? '');
      const elsewhere = { 'x-forwarded-for': '192.0.2.1' };
      const call = (token?: string) => send(origin, { path: '/metrics', headers: elsewhere, ...(token && { token }) });
      expectProblem(await call(), 'UNAUTHENTICATED');
      const who = { tenant: 't1', user: 'u1', ttlSeconds: 60 };
      expectProblem(await call(await signToken(secret, who)), 'FORBIDDEN');
      expect((await call(await signToken(secret, { ...who, roles: ['operator'] }))).status).toBe(200);
    });
  });

  it('opens no listener if the port is off', async () => {
    await withWorker({ metricsPort: 'off' }, async ({ metricsUrl }) => expect(metricsUrl).toBeNull());
  });
});
