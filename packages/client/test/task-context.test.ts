import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { describeOneDatabase } from '../../server/test/support/databases.js';
import { useServer } from '../../server/test/support/server.js';
import { MemoryClient, PlanContext, TaskContext } from '../src/index.js';
import { ResearchBus } from './support/research-bus.js';

/** Moves the clock past the end of every lease. */
function letLeasesExpire(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
}

describeOneDatabase('TaskContext with workers that die', (database) => {
  const server = useServer(database);
  let token: string;
  let memory: MemoryClient;
  beforeAll(async () => {
    token = await server().token({ ttlSeconds: 360_000 });
    memory = new MemoryClient({ baseUrl: server().url, token });
  });
  afterEach(() => vi.useRealTimers());

  describe('delegating', () => {
    it('is not complete before the last result, even if each result arrives at once', async () => {
      const last: (boolean | undefined)[] = [];
      const task = await TaskContext.begin(memory, { taskId: 'at-once', eventType: 'e' });
      const ids = await task?.delegateAll(['models', 'hardware', 'regulation'], async (subTaskId) => {
        const found = await TaskContext.restoreBySubtask(memory, subTaskId);
        last.push(await found?.finishSubTask(subTaskId));
      });
      expect(new Set(ids).size).toBe(3);
      expect(last).toEqual([false, false, true]);
      expect(task?.step).toBe('wait');
    });

    it('chooses ids if asked to, and delegates nothing for an empty list', async () => {
      const task = new TaskContext(memory, { taskId: 'chosen', eventType: 'e' });
      const sent: string[] = [];
      expect(await task.delegateAll([], () => sent.push('never'))).toEqual([]);
      expect(task.step).toBe('delegate');
      const send = (id: string, part: string) => sent.push(`${id}=${part}`);
      await task.delegateAll(['a', 'b'], send, (part, index) => `chosen-${index}-${part}`);
      expect(sent).toEqual(['chosen-0-a=a', 'chosen-1-b=b']);
      expect(task.subTasks).toEqual(['chosen-0-a', 'chosen-1-b']);
    });

    it('keeps what could not be sent in the list, to be sent again with the next delivery of the request', async () => {
      const fields = { taskId: 'unsent-part', eventType: 'e' };
      const parts = ['a', 'b', 'c'];
      const idOf = (part: string) => `unsent-${part}`;
      const task = await TaskContext.begin(memory, fields);
      const failure = new Error('the bus is down');
      const send = (_: string, part: string) => (part === 'b' ? Promise.reject(failure) : undefined);
      await expect(task?.delegateAll(parts, send, idOf)).rejects.toBe(failure);
      const found = await TaskContext.restoreBySubtask(memory, 'unsent-a');
      expect(await found?.finishSubTask('unsent-a')).toBe(false);
      const again = await TaskContext.begin(memory, fields);
      expect(again?.step).toBe('wait');
      const sent: string[] = [];
      expect(await again?.resendAll(parts, (id) => sent.push(id), idOf)).toEqual(['unsent-b', 'unsent-c']);
      expect(sent).toEqual(['unsent-b', 'unsent-c']);
    });

    it('is left to the worker that took over', async () => {
      const fields = { taskId: 'late', eventType: 'e' };
      const slow = await TaskContext.begin(memory, fields);
      expect(slow?.step).toBe('delegate');
      await expect(TaskContext.begin(memory, fields)).rejects.toMatchObject({ code: 'LEASE_HELD', status: 409 });
      letLeasesExpire();
      const [one, other] = await Promise.allSettled([
        TaskContext.begin(memory, fields),
        TaskContext.begin(memory, fields),
      ]);
      expect([one.status, other.status].sort()).toEqual(['fulfilled', 'rejected']);
      const sent: string[] = [];
      await expect(slow?.delegateAll(['x'], (id) => sent.push(id))).rejects.toMatchObject({ code: 'LEASE_LOST' });
      expect(sent).toEqual([]);
    });
  });

  describe('completing', () => {
    async function finished(taskId: string): Promise<TaskContext> {
      const task = new TaskContext(memory, { taskId, eventType: 'e' });
      await task.delegateAll([taskId], () => undefined, String);
      const found = await TaskContext.restoreBySubtask(memory, taskId);
      if (found === null || !(await found.finishSubTask(taskId))) throw new Error('not finished');
      return found;
    }

    it('is left to the worker that took over, and then happens once', async () => {
      const slow = await finished('slow');
      const again = await TaskContext.restoreBySubtask(memory, 'slow');
      await expect(again?.finishSubTask('slow')).rejects.toMatchObject({ code: 'LEASE_HELD', retryAfterSeconds: 60 });
      letLeasesExpire();
      expect(await again?.finishSubTask('slow')).toBe(true);
      expect(again?.step).toBe('complete');
      const responses: string[] = [];
      await expect(slow.complete(1, () => responses.push('slow'))).rejects.toMatchObject({ code: 'LEASE_LOST' });
      await again?.complete(1, () => responses.push('again'));
      await expect(slow.complete(1, () => responses.push('slow'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
      expect(responses).toEqual(['again']);
      expect(await slow.finishSubTask('slow')).toBe(false);
    });

    it('is possible after the lease has expired if nobody took it', async () => {
      const slow = await finished('alone');
      letLeasesExpire();
      const responses: unknown[] = [];
      await slow.complete('late', ({ result }) => responses.push(result));
      expect(responses).toEqual(['late']);
      expect(await memory.getTaskContext('alone')).toBeNull();
    });

    it('can be taken over at once if the response could not be sent', async () => {
      const task = await finished('failing');
      await expect(task.complete(1, () => Promise.reject(new Error('down')))).rejects.toThrow('down');
      expect(task.step).toBe('wait');
      const next = await TaskContext.restoreBySubtask(memory, 'failing');
      expect(await next?.finishSubTask('failing')).toBe(true);
      await next?.complete(1, () => undefined);
    });

    it('is resumed by the request too', async () => {
      await finished('asked-again');
      letLeasesExpire();
      const task = await TaskContext.begin(memory, { taskId: 'asked-again', eventType: 'e' });
      expect(task?.step).toBe('complete');
      await task?.complete(1, () => undefined);
    });
  });

  // Between any two steps of the protocol: after each request to the server and after each published message.
  it.each(['at once', 'after all others'] as const)(
    'completes a task once, whichever step a worker dies after and if its message comes again %s',
    async (redelivery) => {
      let steps = 1;
      for (let died = true; died; steps++) {
        const taskId = `${redelivery.replaceAll(' ', '-')}-${steps}`;
        const plan = new PlanContext(memory, { planId: taskId, goalEvent: 'g' });
        await plan.transition('researching', { waitFor: [taskId] });
        const bus = new ResearchBus({ baseUrl: server().url, token, steps, redelivery, whenHeld: letLeasesExpire });
        await bus.run({ taskId, topics: ['models', 'hardware'] });
        died = bus.died;

        const findings = { models: 'about models', hardware: 'about hardware' };
        for (const response of bus.responses) expect(response).toEqual({ taskId, findings });
        expect(bus.responses.length, `responses of a worker that died after step ${steps}`).toBe(
          bus.lastStep === 'response' ? 2 : 1,
        );
        const received = await Promise.all([...bus.responses, ...bus.responses].map(() => plan.receive(taskId)));
        expect(received.filter(Boolean)).toHaveLength(1);
        expect(await memory.getTaskContext(taskId)).toBeNull();
        vi.useRealTimers();
      }
      expect(steps).toBeGreaterThan(12);
    },
  );
});
