import { conditions, orNull, type UserOptions, userOf, type WriteOptions } from './client-area.js';
import type {
  Operations,
  Plan,
  PlanList,
  Session,
  SessionList,
  SessionPage,
  SubTasksChanged,
  TaskContextEntry,
  TaskContextStored,
} from './generated/operations.js';
import { KnowledgeClient } from './knowledge-client.js';
import type { CallResult } from './transport.js';

type Body<O extends keyof Operations> = Operations[O] extends { body: infer B } ? NonNullable<B> : never;
/** The fields of a request body. The user is given in the options instead. */
type Fields<O extends keyof Operations> = Omit<Body<O>, 'user_id'>;
/** A value with its ETag, to be passed as `ifMatch`. */
type Tagged<T> = T & { etag: string };

export type NewTaskContext = Fields<'tasks.store'>;
export type TaskContextChange = Fields<'tasks.update'>;
export type SubTaskChange = Fields<'tasks.changeSubTasks'>;
export type NewPlan = Fields<'plans.create'>;
export type PlanChange = Fields<'plans.update'>;
export type NewSession = Fields<'sessions.create'>;
export type SessionChange = Fields<'sessions.update'>;
export type PlanStatus = Plan['status'];

export interface PageOptions extends UserOptions {
  /** 1 to 100, default 20. */
  limit?: number;
  /** `next_cursor` of the previous page. */
  cursor?: string;
}

export interface ListPlansOptions extends PageOptions {
  /** `active`: running or paused. */
  status?: PlanStatus | 'active';
  sessionId?: string;
}

/** Calls for task contexts, plans and sessions. */
export class StateClient extends KnowledgeClient {
  /** Stores a task context. Replaces all fields of an existing context with the same id. */
  async storeTaskContext(
    task: NewTaskContext,
    options: WriteOptions & { onlyIfAbsent?: boolean } = {},
  ): Promise<Tagged<TaskContextStored>> {
    const headers = { ...conditions(options), ...(options.onlyIfAbsent ? { 'if-none-match': '*' } : {}) };
    const input = { path: {}, body: { ...task, ...userOf(options) }, headers };
    return tagged(await this.transport.call('tasks.store', input, options));
  }

  async getTaskContext(taskId: string, options: UserOptions = {}): Promise<Tagged<TaskContextEntry> | null> {
    const input = { path: { task_id: taskId }, query: userOf(options) };
    return taggedOrNull(this.transport.call('tasks.get', input, options));
  }

  /** Returns the task that is waiting for a sub-task, or null. */
  async getTaskBySubtask(subTaskId: string, options: UserOptions = {}): Promise<Tagged<TaskContextEntry> | null> {
    const input = { path: { subtask_id: subTaskId }, query: userOf(options) };
    return taggedOrNull(this.transport.call('tasks.bySubTask', input, options));
  }

  async updateTaskContext(
    taskId: string,
    change: TaskContextChange,
    options: WriteOptions = {},
  ): Promise<Tagged<TaskContextEntry>> {
    const body = { ...change, ...userOf(options) };
    const input = { path: { task_id: taskId }, body, headers: conditions(options) };
    return tagged(await this.transport.call('tasks.update', input, options));
  }

  /** Changes the list atomically. `became_empty` is true for exactly one caller, even with concurrent changes. */
  async changeSubTasks(
    taskId: string,
    change: SubTaskChange,
    options: UserOptions = {},
  ): Promise<Tagged<SubTasksChanged>> {
    const input = { path: { task_id: taskId }, body: { ...change, ...userOf(options) } };
    return tagged(await this.transport.call('tasks.changeSubTasks', input, options));
  }

  /** Returns false if there was no such task context. */
  async deleteTaskContext(taskId: string, options: WriteOptions = {}): Promise<boolean> {
    const input = { path: { task_id: taskId }, query: userOf(options), headers: conditions(options) };
    return (await orNull(this.transport.call('tasks.delete', input, options))) !== null;
  }

  /** Rejects with CONFLICT if a plan with this id exists. */
  async createPlan(plan: NewPlan, options: UserOptions = {}): Promise<Tagged<Plan>> {
    const input = { path: {}, body: { ...plan, ...userOf(options) } };
    return tagged(await this.transport.call('plans.create', input, options));
  }

  /** Returns one page, newest first, without the plans' state. Pass `next_cursor` as `cursor` to get the next page. */
  async listPlans(options: ListPlansOptions = {}): Promise<PlanList> {
    const { status, sessionId } = options;
    const query = {
      ...(status === undefined ? {} : { status }),
      ...(sessionId === undefined ? {} : { session_id: sessionId }),
      ...pageOf(options),
    };
    return (await this.transport.call('plans.list', { path: {}, query }, options)).answer;
  }

  async getPlan(planId: string, options: UserOptions = {}): Promise<Tagged<Plan> | null> {
    const input = { path: { plan_id: planId }, query: userOf(options) };
    return taggedOrNull(this.transport.call('plans.get', input, options));
  }

  /** Returns the plan that is waiting for an event, or null. */
  async getPlanByCorrelation(correlationId: string, options: UserOptions = {}): Promise<Tagged<Plan> | null> {
    const input = { path: { correlation_id: correlationId }, query: userOf(options) };
    return taggedOrNull(this.transport.call('plans.byCorrelation', input, options));
  }

  /** Rejects with INVALID_TRANSITION if the change gives a finished plan a different status. */
  async updatePlan(planId: string, change: PlanChange, options: WriteOptions = {}): Promise<Tagged<Plan>> {
    const body = { ...change, ...userOf(options) };
    const input = { path: { plan_id: planId }, body, headers: conditions(options) };
    return tagged(await this.transport.call('plans.update', input, options));
  }

  /** Deletes a plan and its working memory. Returns false if there was no such plan. */
  async deletePlan(planId: string, options: WriteOptions = {}): Promise<boolean> {
    const input = { path: { plan_id: planId }, query: userOf(options), headers: conditions(options) };
    return (await orNull(this.transport.call('plans.delete', input, options))) !== null;
  }

  /** Rejects with CONFLICT if a session with this id exists. */
  async createSession(session: NewSession, options: UserOptions = {}): Promise<Tagged<Session>> {
    const input = { path: {}, body: { ...session, ...userOf(options) } };
    return tagged(await this.transport.call('sessions.create', input, options));
  }

  /** Returns one page, newest interaction first. Pass `next_cursor` as `cursor` to get the next page. */
  async listSessions(options: PageOptions = {}): Promise<SessionList> {
    return (await this.transport.call('sessions.list', { path: {}, query: pageOf(options) }, options)).answer;
  }

  /** Returns a session with its newest plans. Pass `plans_next_cursor` to `listPlans({ sessionId })` to get more. */
  async getSession(sessionId: string, options: UserOptions = {}): Promise<Tagged<SessionPage> | null> {
    const input = { path: { session_id: sessionId }, query: userOf(options) };
    return taggedOrNull(this.transport.call('sessions.get', input, options));
  }

  async updateSession(sessionId: string, change: SessionChange, options: WriteOptions = {}): Promise<Tagged<Session>> {
    const body = { ...change, ...userOf(options) };
    const input = { path: { session_id: sessionId }, body, headers: conditions(options) };
    return tagged(await this.transport.call('sessions.update', input, options));
  }

  /** Sets the time of the session's last interaction to now. */
  touchSession(sessionId: string, options: UserOptions = {}): Promise<Tagged<Session>> {
    return this.updateSession(sessionId, {}, options);
  }

  /** Deletes a session but keeps its plans. Returns false if there was no such session. */
  async deleteSession(sessionId: string, options: WriteOptions = {}): Promise<boolean> {
    const input = { path: { session_id: sessionId }, query: userOf(options), headers: conditions(options) };
    return (await orNull(this.transport.call('sessions.delete', input, options))) !== null;
  }
}

function pageOf(options: PageOptions): { limit?: number; cursor?: string; user_id?: string } {
  const { limit, cursor } = options;
  return {
    ...(limit === undefined ? {} : { limit }),
    ...(cursor === undefined ? {} : { cursor }),
    ...userOf(options),
  };
}

function tagged<O extends keyof Operations>({ answer, etag }: CallResult<O>): Tagged<Operations[O]['answer']> {
  return { ...(answer as object), etag: etag ?? '' } as Tagged<Operations[O]['answer']>;
}

async function taggedOrNull<O extends keyof Operations>(
  call: Promise<CallResult<O>>,
): Promise<Tagged<Operations[O]['answer']> | null> {
  const found = await orNull(call);
  return found && tagged(found);
}
