import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { maxDeaths, type TakenJob } from '../src/ports/work-queue.js';
import type { PgBossQueue } from '../src/store/pg-boss-queue.js';
import { queueSchema } from '../src/store/queue-schema.js';
import { describeEachDatabase } from './support/databases.js';
import { useQueue } from './support/queue.js';

const patience = { timeout: 25_000 };

describeEachDatabase('a job whose process died', (database) => {
  const { opened, newJob, queueOf, work } = useQueue(database);

  /** Takes the next job as a process that dies. */
  async function takeAndDie(queue: PgBossQueue, job: string): Promise<TakenJob | undefined> {
    const taken = (await queue.take(job, 1))[0] ?? (await queue.takeSuspect([job]));
    await opened().pool.query(
      `UPDATE ${queueSchema}.job SET started_on = started_on - interval '31 seconds' WHERE state = 'active'`,
    );
    await queue.maintain();
    return taken;
  }

  it('has used up an attempt and is offered only as a suspect', async () => {
    const { job, queue, ledger } = await newJob(async () => ({}));
    await queue.enqueue(job.name, { id: 'x' });
    expect(await takeAndDie(queue, job.name)).toMatchObject({ attempt: 1, deaths: 0, isSpent: false });
    expect(await ledger.list({ limit: 5 })).toMatchObject([
      { state: 'retrying', attempts: 1, output: { type: 'ProcessDied' } },
    ]);
    expect(await queue.look([job.name])).toMatchObject({ due: [], suspects: true });
    expect(await queue.take(job.name, 5)).toEqual([]);
    expect(await queue.takeSuspect([job.name])).toMatchObject({ attempt: 2, deaths: 1, isSpent: false });
    expect(await queue.look([job.name])).toMatchObject({ due: [], suspects: false });
    await queue.suspectAll(new Date(Date.now() - 60_000));
    expect(await queue.takeSuspect([job.name])).toBeUndefined();
    await queue.suspectAll(new Date());
    expect(await queue.takeSuspect([job.name])).toMatchObject({ attempt: 3, deaths: 2 });
  });

  it('does not wait for its lease if the worker knows that all earlier processes are dead', async () => {
    const { job, runs, queue } = await newJob(async () => ({}));
    await queue.enqueue(job.name, { id: 'x' });
    expect(await queue.take(job.name, 1)).toHaveLength(1);
    work([job], queue, new Date());
    await expect.poll(() => runs, { timeout: 10_000 }).toEqual([{ id: 'x' }]);
  });

  it('runs after the others and alone', async () => {
    const order: string[] = [];
    let atOnce = 0;
    const note = async (_: unknown, { id = '' }) => {
      order.push(`${id}:${atOnce++}`);
      await sleep(50);
      atOnce -= 1;
      return {};
    };
    const one = await newJob(note, { concurrency: 4 });
    const other = await newJob(note);
    for (const id of ['suspect-1', 'suspect-2']) {
      await one.queue.enqueue(one.job.name, { id });
      await takeAndDie(one.queue, one.job.name);
    }
    for (const id of ['a', 'b', 'c', 'd', 'e']) await one.queue.enqueue(one.job.name, { id });
    await other.queue.enqueue(other.job.name, { id: 'f' });
    work([one.job, other.job]);
    await expect.poll(() => order.length, patience).toBe(8);
    expect(order.slice(-2)).toEqual(['suspect-1:0', 'suspect-2:0']);
    expect(order).toContain('d:3');
  });

  it('runs although other jobs keep coming', async () => {
    const { job, runs } = await newJob(async (_, { id }) => {
      await sleep(20);
      const hasRun = runs.some((payload) => payload.id === 'suspect');
      if (id === 'again' && !hasRun) await queue.enqueue(job.name, { id: 'again' });
      return {};
    });
    const queue = queueOf([job]);
    await queue.enqueue(job.name, { id: 'suspect' });
    await takeAndDie(queue, job.name);
    await queue.enqueue(job.name, { id: 'again' });
    work([job], queue);
    await expect.poll(() => runs.map(({ id }) => id), patience).toContain('suspect');
    expect(runs.length).toBeGreaterThan(1);
  });

  it('is given up and becomes a dead letter after the last death, without running again', async () => {
    const givenUp: unknown[] = [];
    const { job, runs, queue, ledger } = await newJob(async () => ({}), {
      retry: { attempts: 13, firstPauseSeconds: 1 },
      giveUp: async (_, payload) => void givenUp.push(payload),
    });
    await queue.enqueue(job.name, { id: 'poison' }, { key: 'k' });
    for (let death = 0; death < maxDeaths; death++) {
      expect(await takeAndDie(queue, job.name)).toMatchObject({ deaths: death, isSpent: false });
    }
    const { faults, outcomes } = work([job]);
    await expect
      .poll(() => ledger.list({ state: 'failed', limit: 5 }), patience)
      .toMatchObject([{ attempts: maxDeaths, output: { type: 'ProcessDied' }, payload: { id: 'poison' } }]);
    expect(runs).toEqual([]);
    expect(givenUp).toEqual([{ id: 'poison' }]);
    expect(outcomes).toEqual(['failed']);
    expect(String(faults)).toBe('Error: 3 processes died while they ran it');

    expect(await queue.enqueue(job.name, { id: 'poison' }, { key: 'k' })).toBe(false);
    expect(await queue.enqueue(job.name, { id: 'fine' }, { key: 'l' })).toBe(true);
    await expect.poll(() => runs, patience).toEqual([{ id: 'fine' }]);
    expect(await ledger.retry('all')).toBe(1);
    await expect.poll(() => runs, patience).toEqual([{ id: 'fine' }, { id: 'poison' }]);
  });

  it('is given up when it dies in its last attempt', async () => {
    const { job, queue, ledger } = await newJob(async () => ({}), { retry: { attempts: 1, firstPauseSeconds: 1 } });
    await queue.enqueue(job.name, {});
    await takeAndDie(queue, job.name);
    work([job]);
    await expect.poll(() => ledger.list({ state: 'failed', limit: 5 }), patience).toMatchObject([{ attempts: 1 }]);
  });

  it('is scheduled again an hour after it was given up', async () => {
    const { job, queue } = await newJob(async () => ({}), { retry: { attempts: 1, firstPauseSeconds: 1 } });
    expect(await queue.schedule(job.name, 1)).toBe('added');
    await takeAndDie(queue, job.name);
    expect(await queue.schedule(job.name, 1)).toBe('busy');
    const spent = await queue.takeSuspect([job.name]);
    if (spent === undefined) throw new Error('nothing was taken');
    await queue.bury(spent);
    expect(await queue.schedule(job.name, 1)).toBe('done');
    await opened().pool.query(
      `UPDATE ${queueSchema}.job SET completed_on = completed_on - interval '1 hour', singleton_on = singleton_on - interval '1 hour'
       WHERE name = $1`,
      [job.name],
    );
    expect(await queue.schedule(job.name, 1)).toBe('added');
  });
});
