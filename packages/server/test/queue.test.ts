import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { TakenJob } from '../src/ports/work-queue.js';
import type { PgBossQueue } from '../src/store/pg-boss-queue.js';
import { queueSchema } from '../src/store/queue-schema.js';
import { describeEachDatabase } from './support/databases.js';
import { useQueue } from './support/queue.js';

const patience = { timeout: 25_000 };

describeEachDatabase('the queue', (database) => {
  const { opened, newJob, queueOf, work } = useQueue(database);

  /** A job that was added within the same tick of the database's clock is not due yet. */
  async function takeOne(queue: PgBossQueue, job: string): Promise<TakenJob> {
    for (;;) {
      const [taken] = await queue.take(job, 1);
      if (taken !== undefined) return taken;
    }
  }

  it('runs a job added by this process and stores its payload and output', async () => {
    const { job, runs, ledger } = await newJob(async () => ({ found: 7 }));
    const { queue, faults } = work([job]);
    expect(await queue.enqueue(job.name, { tenantId: 't1' })).toBe(true);
    await expect.poll(() => ledger.list({ state: 'done', limit: 5 }), patience).toHaveLength(1);
    expect(runs).toEqual([{ tenantId: 't1' }]);
    expect(await ledger.list({ limit: 5 })).toMatchObject([
      { job: job.name, state: 'done', payload: { tenantId: 't1' }, attempts: 1, output: { found: 7 } },
    ]);
    expect(faults).toEqual([]);
  });

  it('runs jobs added by another process, but none before its start time', async () => {
    const { job, runs, ledger, queue: elsewhere } = await newJob(async () => ({}));
    work([job]);
    await elsewhere.enqueue(job.name, { id: 'later' }, { startAfter: new Date(Date.now() + 3_600_000) });
    await elsewhere.enqueue(job.name, { id: 'now' });
    await expect.poll(() => ledger.list({ state: 'done', limit: 5 }), patience).toHaveLength(1);
    expect(runs).toEqual([{ id: 'now' }]);
    expect(await ledger.backlog()).toEqual([{ job: job.name, waiting: 1, oldestSeconds: 0, deadLetters: 0 }]);
  });

  it('rejects unknown jobs', async () => {
    const { queue } = await newJob(async () => ({}));
    await expect(queue.enqueue('nonsense', {})).rejects.toThrow(/unknown job: nonsense/);
  });

  it('keeps one waiting job per key and never runs two of a key at once', async () => {
    let open = () => {};
    const gate = new Promise<void>((done) => {
      open = done;
    });
    let atOnce = 0;
    let most = 0;
    const { job, runs, ledger, queue } = await newJob(
      async () => {
        most = Math.max(most, ++atOnce);
        await gate;
        atOnce -= 1;
        return {};
      },
      { concurrency: 4 },
    );
    expect(await queue.enqueue(job.name, { n: '1' }, { key: 'a' })).toBe(true);
    expect(await queue.enqueue(job.name, { n: '2' }, { key: 'a' })).toBe(false);
    expect(await queue.enqueue(job.name, { n: '3' }, { key: 'b' })).toBe(true);
    work([job]);
    await expect.poll(() => runs.length, patience).toBe(2);
    expect(await queue.enqueue(job.name, { n: '4' }, { key: 'a' })).toBe(true);
    // The job was taken and put back to wait for another attempt, so it still counts as the waiting job.
    await expect.poll(() => ledger.list({ state: 'retrying', limit: 5 }), patience).toHaveLength(1);
    expect(await queue.enqueue(job.name, { n: '5' }, { key: 'a' })).toBe(false);
    expect(runs).toHaveLength(2);
    open();
    await expect.poll(() => ledger.list({ state: 'done', limit: 5 }), patience).toHaveLength(3);
    expect(runs.map(({ n }) => n).sort()).toEqual(['1', '3', '4']);
    expect(most).toBe(2);
    expect((await ledger.list({ limit: 5 })).map(({ attempts }) => attempts)).toEqual([1, 1, 1]);
  });

  it('retries with growing pauses, then keeps a dead letter that can be retried', async () => {
    let broken = true;
    const at: number[] = [];
    const { job, ledger } = await newJob(async () => {
      at.push(Date.now());
      if (broken) throw Object.assign(new Error('the private words of a user'), { code: 'X1' });
      return {};
    });
    const { queue, faults, outcomes } = work([job]);
    await queue.enqueue(job.name, { id: 'x' });
    await expect.poll(() => ledger.list({ state: 'failed', limit: 5 }), patience).toHaveLength(1);
    expect(at).toHaveLength(3);
    const [first = 0, second = 0, third = 0] = at;
    expect(second - first).toBeGreaterThan(900);
    expect(third - second).toBeGreaterThan(1900);
    expect(faults).toHaveLength(3);
    expect(outcomes).toEqual(['retried', 'retried', 'failed']);
    const [dead] = await ledger.list({ limit: 5 });
    expect(dead).toMatchObject({ state: 'failed', attempts: 3, maxAttempts: 3, output: { type: 'Error', code: 'X1' } });
    expect((await ledger.backlog())[0]).toMatchObject({ waiting: 0, deadLetters: 1 });
    const { rows } = await opened().pool.query(`SELECT job::text AS row FROM ${queueSchema}.job`);
    expect(JSON.stringify(rows)).not.toContain('private words');

    broken = false;
    expect(await ledger.retry(['0b5f7c1e-93c4-4f39-a4f4-0e1d4b0c2f11', 'no id at all'])).toBe(0);
    expect(await ledger.retry([dead?.id ?? ''])).toBe(1);
    expect(await ledger.retry('all')).toBe(0);
    await expect.poll(() => ledger.list({ state: 'done', limit: 5 }), patience).toHaveLength(1);
    expect((await ledger.backlog())[0]).toMatchObject({ waiting: 0, deadLetters: 0 });
  });

  it('keeps only the last dead letter of a key', async () => {
    const { job, queue, ledger } = await newJob(async () => ({}), { retry: { attempts: 1, firstPauseSeconds: 1 } });
    for (const [n, key] of Object.entries({ 1: 'a', 2: 'a', 3: 'b', 4: undefined, 5: undefined })) {
      await queue.enqueue(job.name, { n }, key === undefined ? {} : { key });
      await queue.fail(await takeOne(queue, job.name), { type: 'Error' });
    }
    const dead = await ledger.list({ state: 'failed', limit: 10 });
    expect(dead.map(({ payload }) => payload.n).sort()).toEqual(['2', '3', '4', '5']);
  });

  it('runs a scheduled job once per period, even with several processes', async () => {
    const { job, runs, ledger } = await newJob(async () => ({}), { everySeconds: 1 });
    for (let runner = 0; runner < 3; runner++) work([job]);
    await expect.poll(() => runs.length, patience).toBeGreaterThanOrEqual(3);
    const { rows } = await opened().pool.query(
      `SELECT count(*)::int AS jobs, count(DISTINCT singleton_on)::int AS periods FROM ${queueSchema}.job WHERE name = $1`,
      [job.name],
    );
    expect(rows[0].jobs).toBe(rows[0].periods);
    expect((await ledger.list({ limit: 50 })).every(({ payload }) => Object.keys(payload).length === 0)).toBe(true);
  });

  it('skips a period while the job of an earlier one has not ended', async () => {
    const { job, queue, ledger } = await newJob(async () => ({}), { everySeconds: 1 });
    expect(await queue.schedule(job.name, 1)).toBe('added');
    await sleep(1100);
    expect(await queue.schedule(job.name, 1)).toBe('busy');
    const [taken] = await queue.take(job.name, 1);
    expect(await queue.schedule(job.name, 1)).toBe('busy');
    if (taken === undefined) throw new Error('nothing was taken');
    await queue.fail(taken, { type: 'Error' });
    expect(await ledger.list({ limit: 5 })).toMatchObject([{ state: 'retrying' }]);
    expect(await queue.schedule(job.name, 1)).toBe('busy');
    await expect.poll(() => queue.take(job.name, 1), patience).toMatchObject([{ attempt: 2 }]);
    await queue.complete({ ...taken, attempt: 2 }, {});
    expect(await queue.schedule(job.name, 1)).toBe('added');
    expect(await queue.schedule(job.name, 3600)).toBe('busy');
  });

  it('gives a job to another process when its lease expires, and reports the lost lease', async () => {
    const { job, runs } = await newJob(async () => ({}));
    const dead = queueOf([job], 1);
    await dead.enqueue(job.name, { id: 'x' });
    const taken = await takeOne(dead, job.name);
    expect(await dead.keep([taken])).toEqual(new Set([taken.id]));
    await sleep(1500);
    work([job], queueOf([job], 3));
    await expect.poll(() => runs.length, patience).toBe(1);
    expect(await dead.keep([taken])).toEqual(new Set());
  });

  it('renews the lease of a long job', async () => {
    let open = () => {};
    const { job, runs, ledger } = await newJob(() => new Promise((done) => (open = () => done({}))));
    const { queue, outcomes } = work([job], queueOf([job], 4));
    work([job], queueOf([job], 4));
    await queue.enqueue(job.name, { id: 'slow' });
    // Longer than the lease and longer than the other process takes to look for expired leases.
    await sleep(7000);
    open();
    await expect.poll(() => ledger.list({ state: 'done', limit: 5 }), patience).toHaveLength(1);
    expect(runs).toHaveLength(1);
    expect(outcomes).toEqual(['completed']);
  });

  it('waits for running jobs on close and takes no new ones', async () => {
    let open = () => {};
    const { job, runs, ledger } = await newJob(() => new Promise((done) => (open = () => done({}))));
    const { queue, close } = work([job]);
    await queue.enqueue(job.name, { n: '1' });
    await queue.enqueue(job.name, { n: '2' });
    await expect.poll(() => runs.length, patience).toBe(1);
    const closed = close();
    await sleep(300);
    open();
    await closed;
    expect(runs).toEqual([{ n: '1' }]);
    expect((await ledger.list({ limit: 5 })).map(({ state }) => state).sort()).toEqual(['done', 'waiting']);
  });

  it('aborts a job that does not end on close and releases it without using an attempt', async () => {
    const { job, ledger } = await newJob(
      (_context, _payload, signal) =>
        new Promise((_, fail) => signal.addEventListener('abort', () => fail(signal.reason), { once: true })),
    );
    const { queue, faults, outcomes, close } = work([job]);
    await queue.enqueue(job.name, {});
    await expect.poll(() => ledger.list({ state: 'running', limit: 5 }), patience).toHaveLength(1);
    await close();
    expect(await ledger.list({ limit: 5 })).toMatchObject([{ state: 'retrying', attempts: 0 }]);
    expect(outcomes).toEqual(['released']);
    expect(faults).toEqual([]);
  });
});
