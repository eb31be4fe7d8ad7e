import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeOneDatabase } from '../../server/test/support/databases.js';
import { useServer } from '../../server/test/support/server.js';
import { memoryServiceRoutes } from '../src/generated/operations.js';
import { MemoryClient, PlanContext, TaskContext } from '../src/index.js';

describeOneDatabase('MemoryClient for agents’ state', (database) => {
  const server = useServer(database);
  const sent: string[] = [];
  let memory: MemoryClient;
  let service: MemoryClient;
  beforeAll(async () => {
    memory = new MemoryClient({
      baseUrl: server().url,
      token: await server().token(),
      fetch: (url, init) => {
        sent.push(`${init?.method} ${new URL(String(url)).pathname}`);
        return fetch(url, init);
      },
    });
    const token = await server().token({ user: 'robot', roles: ['service'] });
    service = new MemoryClient({ baseUrl: server().url, token });
  });

  it('stores, reads, changes and deletes task contexts', async () => {
    const task = { task_id: 't1', event_type: 'research.requested', data: { query: 'AI trends' }, sub_tasks: ['s1'] };
    const stored = await memory.storeTaskContext(task);
    expect(stored).toEqual({ task_id: 't1', created_at: expect.any(String), etag: expect.any(String) });
    expect(await memory.getTaskContext('t1')).toMatchObject({ ...task, etag: stored.etag });
    expect(await memory.getTaskBySubtask('s1')).toMatchObject({ task_id: 't1', etag: stored.etag });
    expect(await memory.getTaskContext('unknown')).toBeNull();
    expect(await memory.getTaskBySubtask('unknown')).toBeNull();
    const updated = await memory.updateTaskContext('t1', { state: { progress: 0.5 } }, { ifMatch: stored.etag });
    expect(updated.state).toEqual({ progress: 0.5 });
    await expect(memory.updateTaskContext('t1', {}, { ifMatch: stored.etag })).rejects.toMatchObject({
      code: 'ETAG_MISMATCH',
    });
    await expect(memory.storeTaskContext(task, { onlyIfAbsent: true })).rejects.toMatchObject({ status: 412 });
    await expect(memory.updateTaskContext('unknown', {})).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await memory.changeSubTasks('t1', { add: ['s2'], remove: ['s1'] })).toMatchObject({
      sub_tasks: ['s2'],
      removed: ['s1'],
      became_empty: false,
    });
    expect(await memory.deleteTaskContext('t1')).toBe(true);
    expect(await memory.deleteTaskContext('t1')).toBe(false);
  });

  it('lists task contexts, page by page or all of them', async () => {
    for (const part of ['a', 'b', 'c']) {
      await memory.storeTaskContext({ task_id: `listed-${part}`, event_type: 'e', plan_id: 'listed' });
    }
    const page = await memory.listTaskContexts({ planId: 'listed', limit: 2 });
    expect(page.task_contexts.map(({ task_id }) => task_id)).toEqual(['listed-a', 'listed-b']);
    const rest = await memory.listTaskContexts({ planId: 'listed', cursor: page.next_cursor ?? '' });
    expect(rest.task_contexts.map(({ task_id }) => task_id)).toEqual(['listed-c']);
    const all: string[] = [];
    for await (const { task_id } of memory.allTaskContexts({ planId: 'listed', limit: 1 })) all.push(task_id);
    expect(all).toEqual(['listed-a', 'listed-b', 'listed-c']);
    expect((await memory.listTaskContexts({ planId: 'listed', staleForSeconds: 3600 })).count).toBe(0);
  });

  it('takes, renews and gives back the lease of a task', async () => {
    const { lease } = await memory.storeTaskContext({ task_id: 'leased', event_type: 'e', lease_seconds: 30 });
    expect(lease?.next).toBe('delegate');
    const leaseId = lease?.lease_id ?? '';
    await expect(memory.takeTaskLease('leased')).rejects.toMatchObject({ code: 'LEASE_HELD' });
    expect((await memory.takeTaskLease('leased', { leaseId, leaseSeconds: 90 })).lease_id).toBe(leaseId);
    expect(await memory.releaseTaskLease('leased', leaseId)).toBe(true);
    const next = await memory.takeTaskLease('leased');
    await expect(memory.deleteTaskContext('leased', { leaseId })).rejects.toMatchObject({ code: 'LEASE_LOST' });
    expect(await memory.deleteTaskContext('leased', { leaseId: next.lease_id })).toBe(true);
    expect(await memory.releaseTaskLease('leased', leaseId)).toBe(false);
  });

  it('creates, lists, reads, changes and deletes plans', async () => {
    const created = await memory.createPlan({
      plan_id: 'p1',
      goal_event: 'g',
      correlation_ids: ['c1'],
      session_id: 's',
    });
    await memory.createPlan({ plan_id: 'p2', goal_event: 'g', status: 'completed' });
    await expect(memory.createPlan({ plan_id: 'p1', goal_event: 'g' })).rejects.toMatchObject({ code: 'CONFLICT' });
    const { plans } = await memory.listPlans({ status: 'active' });
    expect(plans.map(({ plan_id }) => plan_id)).toEqual(['p1']);
    const page = await memory.listPlans({ limit: 1 });
    const rest = await memory.listPlans({ limit: 1, cursor: page.next_cursor ?? '' });
    expect([...page.plans, ...rest.plans].map(({ plan_id }) => plan_id).sort()).toEqual(['p1', 'p2']);
    expect((await memory.listPlans({ sessionId: 's' })).count).toBe(1);
    const all: string[] = [];
    for await (const { plan_id } of memory.allPlans({ limit: 1 })) all.push(plan_id);
    expect(all).toEqual([...page.plans, ...rest.plans].map(({ plan_id }) => plan_id));
    expect(await memory.getPlan('p1')).toEqual(created);
    expect(await memory.getPlanByCorrelation('c1')).toEqual(created);
    expect(await memory.getPlan('unknown')).toBeNull();
    expect(await memory.getPlanByCorrelation('unknown')).toBeNull();
    expect(await memory.updatePlan('p1', { status: 'failed' }, { ifMatch: created.etag })).toMatchObject({
      status: 'failed',
    });
    await expect(memory.updatePlan('p1', { status: 'running' })).rejects.toMatchObject({
      code: 'INVALID_TRANSITION',
      status: 409,
      details: { from: 'failed', to: 'running' },
    });
    expect(await memory.changeCorrelations('p1', { add: ['c2'], remove: ['c1', 'c0'] })).toEqual({
      correlation_ids: ['c2'],
      removed: ['c1'],
      became_empty: false,
      etag: expect.any(String),
    });
    expect(await memory.deletePlan('p1')).toBe(true);
    expect(await memory.deletePlan('p1')).toBe(false);
  });

  it('creates, lists, reads, touches and deletes sessions', async () => {
    const created = await memory.createSession({ session_id: 's1', agent_id: 'advisor', metadata: { source: 'web' } });
    await sleep(5);
    await memory.createSession({ session_id: 's2' });
    expect((await memory.listSessions()).sessions.map(({ session_id }) => session_id)).toEqual(['s2', 's1']);
    const all: string[] = [];
    for await (const { session_id } of memory.allSessions({ limit: 1 })) all.push(session_id);
    expect(all).toEqual(['s2', 's1']);
    await sleep(5);
    const touched = await memory.touchSession('s1');
    expect(touched.last_interaction > created.last_interaction).toBe(true);
    expect((await memory.listSessions({ limit: 1 })).sessions[0]).toMatchObject({ session_id: 's1' });
    const renamed = await memory.updateSession('s1', { name: 'Research' }, { ifMatch: touched.etag });
    expect(await memory.getSession('s1')).toEqual({ ...renamed, plans: [] });
    expect(await memory.getSession('unknown')).toBeNull();
    expect(await memory.deleteSession('s1')).toBe(true);
    expect(await memory.deleteSession('s1')).toBe(false);
  });

  it('acts for the user that a service token names', async () => {
    const options = { userId: 'u1' };
    await service.storeTaskContext({ task_id: 'x', event_type: 'e', sub_tasks: ['x1'] }, options);
    await service.createPlan({ plan_id: 'x', goal_event: 'g', correlation_ids: ['x1'] }, options);
    await service.createSession({ session_id: 'x' }, options);
    for (const client of [memory, service]) {
      const who = client === memory ? {} : options;
      expect(await client.getTaskContext('x', who)).not.toBeNull();
      expect(await client.getTaskBySubtask('x1', who)).not.toBeNull();
      expect(await client.getPlan('x', who)).not.toBeNull();
      expect(await client.getPlanByCorrelation('x1', who)).not.toBeNull();
      expect(await client.getSession('x', who)).not.toBeNull();
    }
    expect(await service.getTaskContext('x')).toBeNull();
    expect((await service.listPlans(options)).count).toBeGreaterThan(0);
    expect((await service.listSessions(options)).count).toBeGreaterThan(0);
    await service.updateTaskContext('x', { state: {} }, options);
    await service.changeSubTasks('x', { remove: ['x1'] }, options);
    await service.updatePlan('x', { status: 'paused' }, options);
    await service.touchSession('x', options);
    await service.changeCorrelations('x', { remove: ['x1'] }, options);
    expect((await service.listTaskContexts(options)).count).toBeGreaterThan(0);
    const { lease_id } = await service.takeTaskLease('x', options);
    expect(await service.releaseTaskLease('x', lease_id, options)).toBe(true);
    expect(await service.deleteTaskContext('x', options)).toBe(true);
    expect(await service.deletePlan('x', options)).toBe(true);
    expect(await service.deleteSession('x', options)).toBe(true);
  });

  it('has a method for every operation in its part of the route table', () => {
    const patterns = Object.entries(memoryServiceRoutes)
      .filter(([operation]) => /^(tasks|plans|sessions)\./.test(operation))
      .map(([, [method, path]]) => `${method} ${path.replace(/\{\w+\}/g, '[^/]+')}`);
    expect(patterns).toHaveLength(21);
    const unreached = patterns.filter((pattern) => !sent.some((request) => new RegExp(`^${pattern}$`).test(request)));
    expect(unreached).toEqual([]);
  });

  describe('TaskContext', () => {
    it('supports the full lifecycle: receive, save, delegate, restore by sub-task, complete and delete', async () => {
      const published: unknown[] = [];
      const task = new TaskContext(memory, {
        taskId: 'flow',
        eventType: 'research.requested',
        responseEvent: 'research.completed',
        planId: 'plan-1',
        data: { topic: 'AI trends' },
      });
      await task.save();
      const first = await task.delegate((subTaskId) => published.push(subTaskId));
      const second = await task.delegate((subTaskId) => published.push(subTaskId), 'flow-second');
      expect(published).toEqual([first, 'flow-second']);
      expect(task.subTasks).toEqual([first, second]);
      task.state.delegated = true;
      await task.save();

      const restored = await TaskContext.restoreBySubtask(memory, first);
      expect(restored).toMatchObject({
        taskId: 'flow',
        eventType: 'research.requested',
        planId: 'plan-1',
        data: { topic: 'AI trends' },
        state: { delegated: true },
        subTasks: [first, second],
      });
      await restored?.updateState((state) => ({ ...state, found: [1] }));
      expect(await restored?.finishSubTask(first)).toBe(false);
      expect(await TaskContext.restoreBySubtask(memory, first)).toBeNull();

      const last = await TaskContext.restoreBySubtask(memory, second);
      expect(await last?.finishSubTask(second)).toBe(true);
      const responses: unknown[] = [];
      await last?.complete({ results: last.state.found }, (response) => responses.push(response));
      expect(responses).toEqual([
        { taskId: 'flow', event: 'research.completed', topic: 'action-results', result: { results: [1] } },
      ]);
      expect(await memory.getTaskContext('flow')).toBeNull();
    });

    it('saves despite concurrent sub-task changes, and never overwrites the state of others', async () => {
      const task = new TaskContext(memory, { taskId: 'shared', eventType: 'e', state: { a: 1 } });
      await task.save();
      const other = await TaskContext.restore(memory, 'shared');
      await memory.changeSubTasks('shared', { add: ['shared-1'] });
      task.state.a = 2;
      await task.save();
      if (other === null) throw new Error('not restored');
      other.state.b = 1;
      await expect(other.save()).rejects.toMatchObject({ code: 'ETAG_MISMATCH' });
      await other.updateState((state) => ({ ...state, b: 1 }));
      expect(other.state).toEqual({ a: 2, b: 1 });
      expect((await memory.getTaskContext('shared'))?.state).toEqual({ a: 2, b: 1 });
    });

    it('loses no result with twenty concurrent workers, and lets exactly one complete', async () => {
      const task = new TaskContext(memory, { taskId: 'many', eventType: 'e' });
      const parts = Array.from({ length: 20 }, (_, index) => `many-${index}`);
      await memory.storeTaskContext({ task_id: 'many', event_type: 'e', sub_tasks: parts });
      await expect(task.save()).rejects.toMatchObject({ code: 'ETAG_MISMATCH' });
      const last = await Promise.all(
        parts.map(async (part) => {
          const own = await TaskContext.restoreBySubtask(memory, part);
          await own?.updateState((state) => ({ ...state, [part]: 'done' }));
          return own?.finishSubTask(part);
        }),
      );
      expect(last.filter(Boolean)).toHaveLength(1);
      const stored = await memory.getTaskContext('many');
      expect(Object.keys(stored?.state ?? {}).sort()).toEqual([...parts].sort());
    });

    it('removes a sub-task from the list if it could not be sent', async () => {
      const task = new TaskContext(memory, { taskId: 'unsent', eventType: 'e' });
      const failure = new Error('the bus is down');
      await expect(task.delegate(() => Promise.reject(failure))).rejects.toBe(failure);
      expect((await memory.getTaskContext('unsent'))?.sub_tasks).toEqual([]);
    });

    it('keeps the task if its response could not be sent', async () => {
      const task = new TaskContext(memory, { taskId: 'unanswered', eventType: 'e' });
      await task.save();
      await expect(task.complete(1, () => Promise.reject(new Error('down')))).rejects.toThrow('down');
      expect(await TaskContext.restore(memory, 'unanswered')).not.toBeNull();
      await memory.deleteTaskContext('unanswered');
      await expect(task.refresh()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });

    it('belongs to the user that a service token names', async () => {
      const task = new TaskContext(service, { taskId: 'named', eventType: 'e' }, { userId: 'u1' });
      const part = await task.delegate(() => undefined);
      expect((await TaskContext.restoreBySubtask(memory, part))?.taskId).toBe('named');
      await task.complete(null, () => undefined);
      expect(await memory.getTaskContext('named')).toBeNull();
    });
  });

  describe('PlanContext', () => {
    it('advances its state machine from event to event, across planners', async () => {
      const plan = new PlanContext(memory, {
        planId: 'machine',
        goalEvent: 'research.goal',
        goalData: { topic: 'AI trends' },
        responseEvent: 'research.done',
        sessionId: 'chat',
        currentState: 'start',
      });
      await plan.save();
      plan.state.searches = 1;
      await plan.transition('searching', { waitFor: ['machine-1', 'machine-2'] });

      const restored = await PlanContext.restoreByCorrelation(memory, 'machine-2');
      expect(restored).toMatchObject({
        planId: 'machine',
        goalEvent: 'research.goal',
        goalData: { topic: 'AI trends' },
        responseEvent: 'research.done',
        status: 'running',
        currentState: 'searching',
        correlationIds: ['machine-1', 'machine-2'],
        state: { searches: 1 },
      });
      await restored?.transition('summarising');
      expect(await PlanContext.restoreByCorrelation(memory, 'machine-1')).toBeNull();
      await expect(plan.transition('elsewhere')).rejects.toMatchObject({ code: 'ETAG_MISMATCH' });

      const last = await PlanContext.restore(memory, 'machine');
      await last?.pause();
      expect(last?.status).toBe('paused');
      await last?.resume();
      await last?.complete();
      expect(last?.status).toBe('completed');
      await expect(last?.resume()).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
      await last?.delete();
      expect(await PlanContext.restore(memory, 'machine')).toBeNull();
    });

    it('receives each event once, however many planners get it, with the change that follows from it', async () => {
      const plan = new PlanContext(memory, { planId: 'receiver', goalEvent: 'g', state: { found: [] } });
      const events = ['receiver-1', 'receiver-2', 'receiver-3'];
      await plan.transition('waiting', { waitFor: events });
      const deliveries = [...events, ...events, ...events];
      const received = await Promise.all(
        deliveries.map(async (event) => {
          const planner = await PlanContext.restoreByCorrelation(memory, event);
          return planner?.receive(event, ({ state, correlationIds }) => ({
            state: { found: [...(state.found as string[]), event] },
            ...(correlationIds.length === 0 ? { status: 'completed' as const } : {}),
          }));
        }),
      );
      expect(received.filter(Boolean)).toHaveLength(3);
      expect(await plan.receive('receiver-1')).toBe(false);
      expect([...(plan.state.found as string[])].sort()).toEqual(events);
      expect(plan).toMatchObject({ status: 'completed', correlationIds: [] });
    });

    it('receives an event without further changes, and fails if the change does', async () => {
      const plan = new PlanContext(memory, { planId: 'quiet', goalEvent: 'g', state: { kept: 1 } });
      await plan.transition('waiting', { waitFor: ['quiet-1'] });
      const failure = new Error('no');
      const failing = plan.receive('quiet-1', () => {
        throw failure;
      });
      await expect(failing).rejects.toBe(failure);
      expect(await plan.receive('quiet-1')).toBe(true);
      expect(plan).toMatchObject({ state: { kept: 1 }, correlationIds: [], status: 'running' });
      await plan.delete();
      expect(await plan.receive('quiet-1')).toBe(false);
    });

    it('can fail or be cancelled, and then waits for no events', async () => {
      for (const end of ['fail', 'cancel'] as const) {
        const plan = new PlanContext(memory, { planId: `ends-${end}`, goalEvent: 'g' });
        await plan.transition('waiting', { waitFor: [`ends-${end}`] });
        await plan[end]();
        expect(plan.correlationIds).toEqual([]);
        expect(await PlanContext.restoreByCorrelation(memory, `ends-${end}`)).toBeNull();
      }
    });
  });
});
