import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { buildProgram } from '../src/cli/build-program.js';
import { openDatabase } from '../src/composition/open-database.js';
import { startEngine } from '../src/composition/start-engine.js';
import { takeSnapshot } from '../src/engine/conversations/take-snapshot.js';
import { customKind } from '../src/engine/memories/kinds.js';
import { formBacklog } from '../src/engine/memories/refresh-forms.js';
import { rememberMany } from '../src/engine/memories/remember.js';
import { jobs as allJobs, jobNames } from '../src/jobs/jobs.js';
import { sweepReplaysJob } from '../src/jobs/sweep-replays-job.js';
import { openMemhall } from '../src/open-memhall.js';
import type { JobState } from '../src/ports/job-ledger.js';
import { FakeEmbeddingsServer } from '../src/providers/embedders/test-support/fake-embeddings-server.js';
import { flagsOf, runCommand, type SpawnedProcess, spawnServer, spawnWorker } from './support/command.js';
import { connectDirectly, createTestDatabase, describeOneDatabase, type TestDatabase } from './support/databases.js';
import { callerOf } from './support/engine.js';
import { pastEverything } from './support/past-everything.js';
import { startTestServer } from './support/server.js';

const silent = pino({ level: 'silent' });
const patience = { timeout: 90_000, interval: 200 };
const words = ['--embedder', 'none', '--log-level', 'warn'];

/** Stops a process as an operator would. */
async function stop({ child, ended }: SpawnedProcess) {
  child.kill('SIGTERM');
  return ended;
}

/** Returns enough memories that they are not embedded immediately. */
function manyMemories(count = 40) {
  return Array.from({ length: count }, (_, index) => ({ content: `thing number ${index}`, kind: customKind('turn') }));
}

// These tests start processes and wait for them, which is slow on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

describeOneDatabase('jobs', (database) => {
  const spawned: SpawnedProcess[] = [];
  const keep = <P extends SpawnedProcess>(one: P) => {
    spawned.push(one);
    return one;
  };
  afterEach(async () => {
    for (const { child } of spawned) child.kill('SIGKILL');
    await Promise.all(spawned.splice(0).map(({ ended }) => ended));
  });

  /** Runs `use` with an engine that runs no jobs, next to the running processes. */
  async function beside<T>(
    settings: Record<string, string>,
    use: (e: Awaited<ReturnType<typeof startEngine>>) => Promise<T>,
  ) {
    const running = await startEngine(database().config(settings), silent, { shareRunning: true, runJobs: false });
    return use(running).finally(() => running.close());
  }

  const list = () => beside({}, ({ ledger }) => ledger.list({ limit: 1000 }));

  /** Polls the list of jobs until the expectation holds. */
  const listed = (state: JobState | undefined, expectation: (poll: ReturnType<typeof expect.poll>) => Promise<void>) =>
    beside({}, ({ ledger }) => expectation(expect.poll(() => ledger.list({ state, limit: 1000 }), patience)));

  it('run in a worker without HTTP, which drains on SIGTERM, and not in a server with --no-jobs', async () => {
    const server = keep(await spawnServer([...flagsOf(database()), ...words, '--no-jobs']));
    await beside({}, ({ jobContext }) => jobContext.queue.enqueue('expire-memories', { tenantId: 't1' }));
    await sleep(3000);
    expect(await list()).toMatchObject([{ job: 'expire-memories', state: 'waiting' }]);
    const worker = keep(await spawnWorker([...flagsOf(database()), ...words]));
    const metricsUrl = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
    expect(worker.announced).toEqual({
      ...{ event: 'working', jobs: jobNames },
      ...{ metrics_url: metricsUrl, pid: worker.child.pid },
    });
    await listed('done', (jobs) =>
      jobs.toContainEqual(expect.objectContaining({ job: 'expire-memories', payload: { tenantId: 't1' } })),
    );
    expect(await stop(worker)).toMatchObject({ code: 0, stderr: expect.not.stringContaining('"level":50') });
    expect(await stop(server)).toMatchObject({ code: 0 });
  });

  it('can be listed, run and retried while a server is running', async () => {
    const server = keep(await spawnServer([...flagsOf(database()), ...words]));
    const flags = [...flagsOf(database()), '--log-level', 'silent'];
    await listed('done', (jobs) => jobs.toContainEqual(expect.objectContaining({ job: 'clean-up-state' })));

    const shown = await runCommand(['jobs', 'list', '--job', 'clean-up-state', '--limit', '1', ...flags]);
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(shown.stdout).toMatch(
      /^ID +JOB +STATE +CREATED \(UTC\) +ATTEMPTS +DETAILS\n[0-9a-f-]{36} +clean-up-state +done +\S+ \S+ +1\/5 +\{"tenants":\d+,.*\}\n$/,
    );
    const none = await runCommand(['jobs', 'list', '--job', 'nosuch', ...flags]);
    expect(none).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('or `memhall jobs list`') });

    const ran = await runCommand(['jobs', 'run', 'refresh-forms', '--embedder', 'none', '--json', ...flags]);
    expect(JSON.parse(ran.stdout)).toEqual({ tenants: expect.any(Number), behind: 0 });
    const one = await runCommand(['jobs', 'run', 'expire-memories', '--tenant', 't1', '--embedder', 'none', ...flags]);
    expect(one).toMatchObject({ code: 0, stdout: 'Job complete: tenants=1 memories=0 namespaces=0\n' });

    await beside({}, async ({ database: { pool } }) => {
      await pool.query(`UPDATE memhall_queue.job SET state = 'failed', completed_on = now() - interval '20 days'
                        WHERE id = (SELECT id FROM memhall_queue.job WHERE name = 'clean-up-state' LIMIT 1)`);
    });
    const failed = await runCommand(['jobs', 'list', '--state', 'failed', '--json', ...flags]);
    const { id, ...rest } = JSON.parse(failed.stdout);
    expect(rest).toMatchObject({ job: 'clean-up-state', state: 'failed', max_attempts: 5 });
    expect(await runCommand(['jobs', 'retry', id, ...flags])).toMatchObject({
      code: 0,
      stdout: 'Retry complete: jobs=1\n',
    });
    await listed(undefined, (jobs) => jobs.toContainEqual(expect.objectContaining({ id, state: 'done' })));
    await listed('failed', (jobs) => jobs.toEqual([]));
    expect(await runCommand(['jobs', 'retry', '--all-failed', ...flags])).toMatchObject({ code: 1 });
    expect(await stop(server)).toMatchObject({ code: 0, stderr: expect.not.stringContaining('"level":50') });
  });

  it('are measured and shown to operators', async () => {
    const server = await startTestServer(database(), { jobs: 'true' });
    try {
      const read = async () => (await server.call({ path: '/metrics' })).body as string;
      for (const name of jobNames) {
        expect(await read()).toMatch(new RegExp(`^memhall_jobs_waiting{job="${name}"} \\d`, 'm'));
        expect(await read()).toMatch(new RegExp(`^memhall_jobs_backlog_seconds{job="${name}"} \\d`, 'm'));
        expect(await read()).toMatch(new RegExp(`^memhall_jobs_dead_letters{job="${name}"} \\d`, 'm'));
      }
      await beside({}, ({ jobContext }) => jobContext.queue.enqueue('reindex-events', { tenantId: 't1' }));
      await expect.poll(read, patience).toMatch(/^memhall_jobs_total{job="reindex-events",outcome="completed"} 1$/m);
      expect(await read()).toMatch(/^memhall_job_duration_seconds_count{job="reindex-events"} 1$/m);
      await beside({}, ({ jobContext }) =>
        jobContext.queue.enqueue('reindex-events', {}, { startAfter: new Date(Date.now() + 3_600_000) }),
      );
      const token = await server.token({ roles: ['operator'] });
      const { jobs } = (await server.call({ path: '/health', token })).body;
      expect(jobs).toContainEqual({ name: 'reindex-events', waiting: 1, backlog_seconds: 0, dead_letters: 0 });
    } finally {
      await server.close();
    }
  });

  it('run again after the process that ran them was killed', async () => {
    const remote = new FakeEmbeddingsServer();
    await remote.start();
    const settings = {
      embedder: 'openai',
      embedderUrl: remote.baseUrl,
      embedderModel: 'fake',
      embedderDimension: '16',
    };
    const environment = {
      MEMHALL_EMBEDDER: 'openai',
      MEMHALL_EMBEDDER_URL: remote.baseUrl,
      MEMHALL_EMBEDDER_MODEL: 'fake',
      MEMHALL_EMBEDDER_DIMENSION: '16',
    };
    try {
      await beside(settings, ({ engine }) => rememberMany(engine, callerOf('u1', 'killed'), manyMemories()));
      let asked = false;
      const never = () =>
        new Promise<boolean>(() => {
          asked = true;
        });
      remote.reset();
      remote.interceptNext(() => false, never);
      const first = keep(await spawnWorker([...flagsOf(database()), '--log-level', 'warn'], environment));
      await expect.poll(() => asked, patience).toBe(true);
      first.child.kill('SIGKILL');
      await first.ended;
      // Act as if the lease had expired.
      await pastEverything(
        database(),
        `UPDATE memhall_queue.job SET started_on = started_on - interval '30 seconds' WHERE state = 'active'`,
      );
      const second = keep(await spawnWorker([...flagsOf(database()), '--log-level', 'warn'], environment));
      await beside(settings, ({ engine }) =>
        expect.poll(async () => (await formBacklog(engine, 'killed')).count, patience).toBe(0),
      );
      expect(await stop(second)).toMatchObject({ code: 0 });
    } finally {
      await remote.stop();
    }
  });

  it('find replays that never reached the queue', async () => {
    await beside({}, async ({ engine, jobContext, ledger }) => {
      const messages = [{ id: 'm', role: 'user' as const, content: 'My name is Dana.' }];
      const input = { conversationId: 'c', profileId: 'project-copilot-v1', messages, replay: true };
      const crashing = { ...engine, onReplayQueued: () => undefined };
      const { replayId } = await takeSnapshot(crashing, callerOf('u1', 'swept'), input);
      const sweep = (seconds: number) => {
        const now = new Date(Date.now() + seconds * 1000);
        const context = { ...jobContext, engine: { ...engine, clock: { now: () => now } } };
        return sweepReplaysJob.run(context, { tenantId: 'swept' }, new AbortController().signal);
      };
      expect(await sweep(5)).toEqual({ tenants: 1, enqueued: 0 });
      const [waited, interval] = [20, sweepReplaysJob.everySeconds ?? Number.POSITIVE_INFINITY];
      expect(await sweep(waited)).toEqual({ tenants: 1, enqueued: 1 });
      expect(waited + interval).toBeLessThan(60);
      expect(await sweep(waited + interval)).toEqual({ tenants: 1, enqueued: 0 });
      const payload = { tenantId: 'swept', userId: 'u1', replayId };
      expect(await ledger.list({ job: 'replay', limit: 5 })).toMatchObject([{ state: 'waiting', payload }]);
    });
  });
});

describe('memhall jobs', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase('embedded');
  });
  afterAll(() => database.remove());

  it.each([
    [['run', 'nonsense'], /Unknown job "nonsense". Choose one of replay, /],
    [['run', 'expire-memories', '--user', 'u1'], /The job does not take userId. It takes tenantId/],
    [['run', 'expire-memories', '--tenant', 'a b'], /tenantId is not a valid id/],
    [['run', 'expire-memories', '--set', 'x'], /--set must look like name=id/],
    [['retry'], /Give either job ids or --all-failed/],
    [['list', '--limit', '0'], /--limit must be a whole number/],
  ])('reports what is wrong with %j', async (args, message) => {
    const embedder = args[0] === 'run' ? ['--embedder', 'none'] : [];
    const given = ['node', 'memhall', 'jobs', ...args, ...embedder, ...flagsOf(database)];
    await expect((await buildProgram({})).parseAsync(given)).rejects.toThrow(message);
  });

  it('lists the valid states', async () => {
    const { code, stderr } = await runCommand(['jobs', 'list', '--state', 'dead', ...flagsOf(database)]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/Allowed choices are waiting, retrying, running, done, failed/);
  });
});

describe.runIf(inject('postgresUrl') !== null)('several processes on one PostgreSQL database', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase('postgres');
  });
  afterAll(() => database.remove());

  it('run a scheduled job once per period between them, and lose no enqueued job', async () => {
    const settings = { jobs: 'true' };
    const servers = await Promise.all([startTestServer(database, settings), startTestServer(database, settings)]);
    const engines = await Promise.all([1, 2].map(() => startEngine(database.config(settings), silent)));
    const direct = connectDirectly(database);
    try {
      const ids = Array.from({ length: 60 }, (_, index) => `tenant-${index}`);
      await Promise.all(
        ids.map((tenantId, index) => engines[index % 2]?.jobContext.queue.enqueue('expire-memories', { tenantId })),
      );
      const count = async (condition: string) =>
        (await direct.query(`SELECT count(*)::int AS n FROM memhall_queue.job WHERE ${condition}`)).rows[0].n;
      await expect.poll(() => count(`state < 'completed'`), patience).toBe(0);
      expect(await count(`data ? 'tenantId' AND state = 'completed' AND retry_count = 0`)).toBe(60);
      const { rows } = await direct.query(
        `SELECT name, count(*)::int AS jobs, count(DISTINCT singleton_on)::int AS periods, max(retry_count) AS retries
         FROM memhall_queue.job WHERE singleton_key = 'schedule' GROUP BY name ORDER BY name`,
      );
      const scheduled = allJobs.filter(({ everySeconds }) => everySeconds !== undefined).map(({ name }) => name);
      expect(rows.map(({ name }) => name)).toEqual(scheduled.sort());
      for (const { jobs, periods, retries } of rows) expect([jobs, retries]).toEqual([periods, 0]);
    } finally {
      await Promise.all([...servers, ...engines].map((one) => one.close()));
      await direct.end();
    }
  });

  it('work as a library side by side', async () => {
    const environment = { MEMHALL_DATA: database.flags.dataDirectory ?? '' };
    const databaseUrl = database.flags.databaseUrl ?? '';
    const [one, other] = await Promise.all([1, 2].map(() => openMemhall({ databaseUrl, environment })));
    await one?.as({ user: 'me' }).rememberMany(manyMemories().map(({ content }) => content));
    await expect.poll(() => other?.pendingEmbeddings(), patience).toBe(0);
    await Promise.all([one?.close(), other?.close()]);
  });

  it('need no more rights than the worker role once the queue exists', async () => {
    const direct = connectDirectly(database);
    await direct.query(
      'DROP ROLE IF EXISTS runner; CREATE ROLE runner LOGIN; GRANT memhall_app, memhall_worker TO runner',
    );
    await direct.query('GRANT SELECT ON memhall.migrations TO runner; GRANT USAGE ON SCHEMA memhall TO runner');
    const url = new URL(database.flags.databaseUrl ?? '');
    url.username = 'runner';
    const config = { ...database.config({ databaseUrl: url.href, jobs: 'true' }), migrate: false };
    const { jobContext, ledger, close } = await startEngine(config, silent);
    try {
      await jobContext.queue.enqueue('clean-up-state', { tenantId: 'rights' });
      const done = async () =>
        (await ledger.list({ state: 'done', limit: 100 })).some(({ payload }) => payload.tenantId === 'rights');
      await expect.poll(done, patience).toBe(true);
    } finally {
      await close();
      await direct.query('DROP OWNED BY runner; DROP ROLE runner');
      await direct.end();
    }
  });

  it('report at startup that the queue is missing or outdated if they must not create it', async () => {
    const config = { ...database.config(), migrate: false };
    const direct = connectDirectly(database);
    await direct.query('UPDATE memhall_queue.version SET version = version + 1');
    await expect(openDatabase(config, silent)).rejects.toThrow(/job queue is at version \d+.*start a newer version/);
    await direct.query('UPDATE memhall_queue.version SET version = version - 2');
    await expect(openDatabase(config, silent)).rejects.toThrow(/lacks memhall_queue\. Run `memhall migrate` first/);
    await direct.query('UPDATE memhall_queue.version SET version = version + 1');
    await direct.query(`SELECT memhall_queue.delete_queue('reindex-events')`);
    await expect(openDatabase(config, silent)).rejects.toThrow(/lacks memhall_queue.reindex-events\. Run/);
    await direct.query('DROP SCHEMA memhall_queue CASCADE');
    await expect(openDatabase(config, silent)).rejects.toThrow(/lacks memhall_queue\. Run `memhall migrate` first/);
    await direct.end();
    await (await openDatabase(database.config(), silent)).close();
    await (await openDatabase(config, silent)).close();
  });
});
