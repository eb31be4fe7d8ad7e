import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FakeEmbeddingsServer } from '../src/providers/embedders/test-support/fake-embeddings-server.js';
import { describeOneDatabase } from './support/databases.js';
import { addDeadLetters } from './support/dead-letters.js';
import { expectProblem } from './support/expect-problem.js';
import { useServer } from './support/server.js';

const jobsPath = '/v1/operations/jobs';
const unknownId = '00000000-0000-4000-8000-000000000000';

describeOneDatabase('what operators see and do', (database) => {
  const remote = new FakeEmbeddingsServer();
  beforeAll(() => remote.start());
  afterAll(() => remote.stop());
  const server = useServer(database, () => ({
    ...{ embedder: 'openai', embedderUrl: remote.baseUrl, embedderModel: 'fake', embedderDimension: '16' },
    ...{ objectiveRecallMs: '200', quotaServicePerMinute: '3' },
  }));
  let operator = '';
  let admin = '';
  beforeAll(async () => {
    operator = await server().token({ tenant: 'ops', user: 'olga', roles: ['operator'] });
    admin = await server().token({ user: 'boss', roles: ['admin'] });
    for (const [tenant, user] of [
      ['t1', 'u1'],
      ['t1', 'u2'],
      ['t2', 'ann'],
    ] as const) {
      const token = await server().token({ tenant, user });
      const body = { content: `The secret of ${user} is kept.` };
      expect((await server().call({ method: 'POST', path: '/v1/remember', body, token })).status).toBe(201);
    }
  });
  const ask = (path: string, token = operator) => server().call({ path, token });
  const retry = (body: unknown, token = operator) =>
    server().call({ method: 'POST', path: `${jobsPath}:retry`, body, token });

  it('are for nobody else, and have nothing of any memory', async () => {
    const paths = [jobsPath, '/v1/operations/latency', '/v1/operations/tenants', '/v1/operations/quotas'];
    for (const path of paths) {
      const answer = await ask(path);
      expect(answer.status).toBe(200);
      expect(JSON.stringify(answer.body)).not.toContain('secret');
      expectProblem(await ask(path, admin), 'FORBIDDEN');
      expectProblem(await ask(path, ''), 'UNAUTHENTICATED');
    }
    expectProblem(await retry({ all_failed: true }, admin), 'FORBIDDEN');
  });

  describe('jobs', () => {
    it('are listed in pages, and dead letters run again, which each tenant can see in its audit log', async () => {
      const [first = '', ...others] = await addDeadLetters(database(), [
        { job: 'extract-episode', payload: { tenantId: 't1', userId: 'u1', episodeId: 'none' } },
        { job: 'learn-facts', payload: { tenantId: 't2' } },
        { job: 'compact', payload: { tenantId: 't1', userId: 'u2', namespace: 'x', path: 'y' } },
      ]);
      expect(others).toHaveLength(2);
      const page = await ask(`${jobsPath}?state=failed&limit=2`);
      expect(page.body.jobs).toHaveLength(2);
      const rest = await ask(`${jobsPath}?state=failed&limit=2&cursor=${page.body.next_cursor}`);
      expect(rest.body.next_cursor).toBeUndefined();
      const listed = [...page.body.jobs, ...rest.body.jobs];
      expect(listed.map(({ id }) => id).sort()).toEqual([first, ...others].sort());
      expect(listed.find(({ name }) => name === 'extract-episode')).toMatchObject({
        ...{ state: 'failed', tenant_id: 't1', user_id: 'u1', problem: 'ExtractorError unavailable' },
        attempts: expect.any(Number),
        finished_at: expect.any(String),
      });
      expect((await ask(`${jobsPath}?name=learn-facts&state=failed`)).body.jobs).toHaveLength(1);

      const one = listed.find(({ name }) => name === 'learn-facts');
      expect((await retry({ ids: [one.id] })).body).toEqual({ retried: 1 });
      expectProblem(await retry({ ids: [one.id] }), 'NOT_FOUND');
      expect((await retry({ all_failed: true })).body).toEqual({ retried: 2 });
      expect((await ask(`${jobsPath}?state=failed`)).body.jobs).toEqual([]);

      const recorded = async (tenant: string) => {
        const token = await server().token({ tenant, user: 'boss', roles: ['admin'] });
        const { body } = await server().call({ path: `/v1/tenants/${tenant}/audit?target=jobs`, token });
        return body.records;
      };
      const actor = { user_id: 'olga', service_id: null, roles: ['operator'] };
      expect(await recorded('t1')).toMatchObject([{ operation: 'jobs.retry', actor, jobs: 2 }]);
      expect(await recorded('t2')).toMatchObject([{ operation: 'jobs.retry', actor, jobs: 1, job_ids: [one.id] }]);
      expectProblem(await ask('/v1/tenants/t2/audit', admin), 'FORBIDDEN');
    });

    it('must be dead letters to be retried, all of them', async () => {
      const [id = ''] = await addDeadLetters(database(), [{ job: 'replay', payload: { tenantId: 't1' } }]);
      expectProblem(await retry({ ids: [id, unknownId] }), 'NOT_FOUND');
      expect((await ask(`${jobsPath}?state=failed`)).body.jobs).toHaveLength(1);
      for (const body of [{}, { ids: [] }, { ids: ['x'] }, { all_failed: false }, { ids: [id], all_failed: true }]) {
        expect((await retry(body)).status).toBe(400);
      }
      expectProblem(await ask(`${jobsPath}?cursor=WyJ4IiwieSJd`), 'INVALID_REQUEST');
      expectProblem(await ask(`${jobsPath}?state=lost`), 'INVALID_REQUEST');
      await retry({ ids: [id] });
    });
  });

  describe('tenants and owners', () => {
    it('lists tenants in pages, with counts', async () => {
      const first = await ask('/v1/operations/tenants?limit=1');
      const second = await ask(`/v1/operations/tenants?limit=1&cursor=${first.body.next_cursor}`);
      const found = [...first.body.tenants, ...second.body.tenants];
      expect(found.map(({ id }) => id)).toEqual(['t1', 't2']);
      expect(second.body.next_cursor).toBeUndefined();
      const all = await ask('/v1/operations/tenants');
      const t1 = all.body.tenants.find(({ id }: { id: string }) => id === 't1');
      expect(t1).toMatchObject({ owners: 2, memories: 2, waiting: expect.any(Number) });
      expect(t1.changes).toBeGreaterThanOrEqual(2);
    });

    it('lists the users of a tenant to its administrators only', async () => {
      const path = '/v1/tenants/t1/owners';
      const { body } = await ask(path, admin);
      expect(body.owners.map(({ user_id }: { user_id: string }) => user_id)).toEqual(['u1', 'u2']);
      expect(body.owners[0]).toMatchObject({ workspace_id: null, last_change_at: expect.any(String) });
      const page = await ask(`${path}?limit=1`, admin);
      const next = await ask(`${path}?limit=1&cursor=${page.body.next_cursor}`, admin);
      expect(next.body.owners[0].user_id).toBe('u2');
      expect((await ask(`${path}?prefix=u2`, admin)).body.owners).toHaveLength(1);
      expect((await ask(`${path}?prefix=%25`, admin)).status).toBe(400);
      expectProblem(await ask(path), 'FORBIDDEN');
      expectProblem(await ask(path, await server().token({ user: 'u1' })), 'FORBIDDEN');
      expectProblem(await ask('/v1/tenants/t2/owners', admin), 'FORBIDDEN');
    });
  });

  it('counts what quotas refuse', async () => {
    const token = await server().token({ service: 'busy' });
    for (let call = 0; call < 5; call++) await ask('/v1/memories', token);
    const { body } = await ask('/v1/operations/quotas');
    expect(body.window_seconds).toBe(60);
    expect(body.quotas).toContainEqual({ scope: 'service', limit: 3, refused: 2 });
    expect(body.quotas).toContainEqual({ scope: 'tenant', limit: null, refused: 0 });
  });

  it('says what makes recall slow', async () => {
    const recall = (query: string) =>
      server()
        .call({ method: 'POST', path: '/v1/recall', body: { query } })
        .then(({ status }) => status);
    expect(await recall('what is kept')).toBe(200);
    const of = async () => (await ask('/v1/operations/latency')).body;
    const before = await of();
    const measured = before.operations.find(({ operation }: { operation: string }) => operation === 'memory.recall');
    expect(measured).toMatchObject({ objective_ms: 200, now: { count: 1 }, before: null });
    expect(before.recall_stages.map(({ stage }: { stage: string }) => stage)).toEqual([
      'embed',
      'fetch',
      'load',
      'match',
    ]);
    const slow = async () => {
      await new Promise((done) => setTimeout(done, 900));
      return false;
    };
    remote.interceptNext(slow, slow);
    expect(await recall('who keeps the secret')).toBe(200);
    expect(await recall('whose secret is kept')).toBe(200);
    const { findings, recall_stages: stages } = await of();
    expect(findings).toContainEqual({
      ...{ kind: 'stage', about: 'embed' },
      message: expect.stringMatching(
        /^Embedding the question takes \d+ ms of the \d+ ms of a recall\. Look at the embedder/,
      ),
    });
    const embed = stages.find(({ stage }: { stage: string }) => stage === 'embed');
    expect(embed.now.p95_ms).toBeGreaterThan(900);
  });
});
