import { expect, it } from 'vitest';
import { verifyAudit } from '../src/engine/audit/verify-audit.js';
import { cleanUpState } from '../src/engine/state/clean-up-state.js';
import { createPlan, updatePlan } from '../src/engine/state/plans.js';
import { getTaskContext, storeTaskContext, updateTaskContext } from '../src/engine/state/task-contexts.js';
import { goOffTheRecord } from '../src/engine/state/unrecorded-sessions.js';
import { listWorkingValues, putWorkingValue } from '../src/engine/state/working-values.js';
import { cleanUpStateJob } from '../src/jobs/clean-up-state-job.js';
import type { PlanStatus } from '../src/ports/plans.js';
import { describeEachDatabase } from './support/databases.js';
import { callerOf, useEngine } from './support/engine.js';

const hourMs = 3_600_000;
const precondition = { kind: 'none' } as const;
const ages = { finishedPlanAgeMs: 2 * hourMs, taskContextAgeMs: 5 * hourMs };

const nothing = { expiredValues: 0, clearedPlans: 0, taskContexts: 0, unrecordedSessions: 0 };

describeEachDatabase('cleaning up state', (database) => {
  const running = useEngine(database);
  /** Returns the engine with its clock set the given number of hours ahead. */
  const after = (hours: number) => {
    const at = new Date(Date.now() + hours * hourMs);
    return { ...running().engine, clock: { now: () => at } };
  };

  async function plan(user: string, planId: string, status: PlanStatus, tenant = 't1'): Promise<void> {
    const empty = { goalData: {}, state: {}, currentState: null, responseEvent: null, correlationIds: [] };
    const caller = callerOf(user, tenant);
    await createPlan(after(0), caller, {
      planId,
      goalEvent: 'g',
      status,
      sessionId: null,
      parentPlanId: null,
      ...empty,
    });
    await value(user, planId, 'a', tenant);
    await value(user, planId, 'b', tenant);
  }

  async function value(user: string, planId: string, key: string, tenant = 't1', ttlSeconds?: number): Promise<void> {
    await putWorkingValue(after(0), callerOf(user, tenant), { planId, key, value: 1, ttlSeconds, precondition });
  }

  async function task(user: string, taskId: string, tenant = 't1'): Promise<void> {
    await storeTaskContext(after(0), callerOf(user, tenant), {
      taskId,
      planId: null,
      eventType: 'e',
      responseEvent: null,
      responseTopic: 't',
      data: {},
      subTasks: [`${taskId}-1`],
      state: {},
      leaseSeconds: undefined,
      precondition,
    });
  }

  const countValues = async (user: string, planId: string, tenant = 't1') =>
    (await listWorkingValues(after(0), callerOf(user, tenant), { planId, limit: 100, cursor: undefined })).items.length;
  const hasTask = async (user: string, taskId: string, tenant = 't1') =>
    (await getTaskContext(after(0), callerOf(user, tenant), { taskId })) !== undefined;

  it('removes the working memory of plans that finished long ago, in this tenant only', async () => {
    await plan('u1', 'done', 'completed');
    await plan('u1', 'failed', 'failed');
    await plan('u1', 'running', 'running');
    await plan('u1', 'paused', 'paused');
    await plan('u2', 'running', 'cancelled');
    await plan('u1', 'done', 'completed', 't2');
    await value('u3', 'done', 'a');
    expect(await cleanUpState(after(1.9), 't1', ages)).toEqual(nothing);
    expect(await cleanUpState(after(2.1), 't1', ages)).toEqual({ ...nothing, clearedPlans: 3 });
    expect(await countValues('u1', 'done')).toBe(0);
    expect(await countValues('u1', 'failed')).toBe(0);
    expect(await countValues('u2', 'running')).toBe(0);
    expect(await countValues('u1', 'running')).toBe(2);
    expect(await countValues('u1', 'paused')).toBe(2);
    expect(await countValues('u1', 'done', 't2')).toBe(2);
    // Working memory that belongs to no known plan is not a leftover and stays.
    expect(await countValues('u3', 'done')).toBe(1);
    expect((await cleanUpState(after(2.1), 't1', ages)).clearedPlans).toBe(0);
  });

  it('measures age from when a plan finished, not from later changes', async () => {
    await plan('u4', 'late', 'completed');
    const change = { status: undefined, currentState: undefined, responseEvent: undefined, correlationIds: undefined };
    await updatePlan(after(1), callerOf('u4'), { planId: 'late', state: { note: 1 }, precondition, ...change });
    expect((await cleanUpState(after(2.1), 't1', ages)).clearedPlans).toBe(1);
  });

  it('removes stale task contexts together with their sub-tasks', async () => {
    await task('u5', 'stale');
    await task('u5', 'touched');
    await task('u6', 'stale');
    await task('u5', 'stale', 't2');
    await updateTaskContext(after(3), callerOf('u5'), {
      taskId: 'touched',
      subTasks: undefined,
      state: {},
      precondition,
    });
    expect((await cleanUpState(after(4.9), 't1', ages)).taskContexts).toBe(0);
    expect((await cleanUpState(after(5.1), 't1', ages)).taskContexts).toBe(2);
    expect(await hasTask('u5', 'stale')).toBe(false);
    expect(await hasTask('u6', 'stale')).toBe(false);
    expect(await hasTask('u5', 'touched')).toBe(true);
    expect(await hasTask('u5', 'stale', 't2')).toBe(true);
    const { rows } = await running().database.pool.query(
      `SELECT tenant_id, user_id, sub_task_id FROM memhall.task_sub_tasks ORDER BY 1, 2, 3`,
    );
    expect(rows).toEqual([
      { tenant_id: 't1', user_id: 'u5', sub_task_id: 'touched-1' },
      { tenant_id: 't2', user_id: 'u5', sub_task_id: 'stale-1' },
    ]);
  });

  it('removes expired working values in more than one batch', async () => {
    await running().database.pool.query(
      `INSERT INTO memhall.working_values
       SELECT 't1', 'u7', 'p', 'k' || n, '1', 'e', now(), now(), now() - interval '1 hour' FROM generate_series(1, 1100) n`,
    );
    await value('u7', 'p', 'stays');
    await value('u7', 'p', 'later', 't1', 3600);
    expect((await cleanUpState(after(0), 't1', ages)).expiredValues).toBe(1100);
    const { rows } = await running().database.pool.query(
      `SELECT key FROM memhall.working_values WHERE user_id = 'u7' ORDER BY key`,
    );
    expect(rows).toEqual([{ key: 'later' }, { key: 'stays' }]);
  });

  it('removes sessions that are on the record again', async () => {
    const until = new Date(Date.now() + hourMs);
    await goOffTheRecord(after(0), callerOf('u9'), { sessionId: 'over', until });
    await goOffTheRecord(after(0), callerOf('u9'), { sessionId: 'endless', until: null });
    expect((await cleanUpState(after(0.9), 't1', ages)).unrecordedSessions).toBe(0);
    expect((await cleanUpState(after(1.1), 't1', ages)).unrecordedSessions).toBe(1);
    const { rows } = await running().database.pool.query('SELECT session_id FROM memhall.unrecorded_sessions');
    expect(rows).toEqual([{ session_id: 'endless' }]);
  });

  it('removes nothing if no age is set', async () => {
    await plan('u8', 'done', 'completed');
    await task('u8', 'stale');
    const never = { finishedPlanAgeMs: undefined, taskContextAgeMs: undefined };
    expect(await cleanUpState(after(1_000_000), 't3', never)).toMatchObject({ clearedPlans: 0, taskContexts: 0 });
    expect(await cleanUpState(after(1_000), 't1', never)).toMatchObject({ clearedPlans: 0, taskContexts: 0 });
    expect(await countValues('u8', 'done')).toBe(2);
    expect(await hasTask('u8', 'stale')).toBe(true);
  });

  it('runs as a job for one tenant or for all tenants', async () => {
    await plan('u10', 'done', 'completed');
    await plan('u10', 'done', 'completed', 't4');
    await task('u10', 'stale');
    const stateAges = { finishedPlanAgeMs: 2 * hourMs, taskContextAgeMs: undefined };
    const context = { ...running().jobContext, engine: after(3), stateAges };
    const { signal } = new AbortController();
    await cleanUpStateJob.run(context, { tenantId: 't1' }, signal);
    expect(await countValues('u10', 'done')).toBe(0);
    expect(await countValues('u10', 'done', 't4')).toBe(2);
    await cleanUpStateJob.run(context, {}, signal);
    expect(await countValues('u10', 'done', 't4')).toBe(0);
    expect(await hasTask('u10', 'stale')).toBe(true);
  });

  it('is audited in the users’ chains with Memhall itself as the actor', async () => {
    await plan('u9', 'done', 'completed');
    await task('u9', 'stale');
    await cleanUpState(after(6), 't1', ages);
    const { rows } = await running().database.pool.query<{ record: string }>(
      `SELECT record FROM memhall.audit_records WHERE tenant_id = 't1' AND user_id = 'u9' ORDER BY seq DESC LIMIT 2`,
    );
    const records = rows.map(({ record }) => JSON.parse(record));
    expect(records.map(({ target }) => target)).toEqual(['task/stale', 'working/done']);
    for (const record of records) {
      expect(record).toMatchObject({
        actor: { user_id: null, service_id: 'memhall', roles: [] },
        operation: 'state.cleanUp',
        post_etag: null,
        content_sha256: null,
      });
    }
    expect((await verifyAudit(running().engine.store)).faults).toEqual([]);
  });
});
