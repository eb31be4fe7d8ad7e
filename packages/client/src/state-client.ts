import {
  conditions,
  type EachOptions,
  eachItem,
  type Fields,
  type PageOptions,
  pageOf,
  type Tagged,
  tagged,
  taggedOrNull,
  type UserOptions,
  userOf,
  type WriteOptions,
} from './client-area.js';
import type {
  CorrelationsChanged,
  Plan,
  PlanList,
  PlanSummary,
  Session,
  SessionList,
  SessionPage,
} from './generated/operations.js';
import { TaskClient } from './task-client.js';

export type NewPlan = Fields<'plans.create'>;
export type PlanChange = Fields<'plans.update'>;
export type CorrelationChange = Fields<'plans.changeCorrelations'>;
export type NewSession = Fields<'sessions.create'>;
export type SessionChange = Fields<'sessions.update'>;
export type PlanStatus = Plan['status'];

export interface ListPlansOptions extends PageOptions {
  /** `active`: running or paused. */
  status?: PlanStatus | 'active';
  sessionId?: string;
}

/** Calls for plans and sessions. */
export class StateClient extends TaskClient {
  /** Rejects with CONFLICT if a plan with this id exists. */
  async createPlan(plan: NewPlan, options: UserOptions = {}): Promise<Tagged<Plan>> {
    const input = { path: {}, body: { ...plan, ...userOf(options) } };
    return tagged(await this.transport.call('plans.create', input, options));
  }

  /** Returns one page, newest first, without the plans' state. Pass `next_cursor` as `cursor` to get the next page. */
  async listPlans(options: ListPlansOptions = {}): Promise<PlanList> {
    const query = { status: options.status, session_id: options.sessionId, ...pageOf(options) };
    return this.answer('plans.list', { path: {}, query }, options);
  }

  /** Yields all plans, newest first, without their state. */
  allPlans(options: EachOptions<ListPlansOptions> = {}): AsyncGenerator<PlanSummary, void, undefined> {
    return eachItem(
      (page) => this.listPlans({ ...options, ...page }),
      ({ plans }) => plans,
    );
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

  /** Changes the ids of awaited events atomically. `removed` names each id for exactly one caller. */
  async changeCorrelations(
    planId: string,
    change: CorrelationChange,
    options: UserOptions = {},
  ): Promise<Tagged<CorrelationsChanged>> {
    const input = { path: { plan_id: planId }, body: { ...change, ...userOf(options) } };
    return tagged(await this.transport.call('plans.changeCorrelations', input, options));
  }

  /** Deletes a plan and its working memory. Returns false if there was no such plan. */
  async deletePlan(planId: string, options: WriteOptions = {}): Promise<boolean> {
    const input = { path: { plan_id: planId }, query: userOf(options), headers: conditions(options) };
    return this.remove('plans.delete', input, options);
  }

  /** Rejects with CONFLICT if a session with this id exists. */
  async createSession(session: NewSession, options: UserOptions = {}): Promise<Tagged<Session>> {
    const input = { path: {}, body: { ...session, ...userOf(options) } };
    return tagged(await this.transport.call('sessions.create', input, options));
  }

  /** Returns one page, newest interaction first. Pass `next_cursor` as `cursor` to get the next page. */
  async listSessions(options: PageOptions = {}): Promise<SessionList> {
    return this.answer('sessions.list', { path: {}, query: pageOf(options) }, options);
  }

  /** Yields all sessions, newest interaction first. */
  allSessions(options: EachOptions = {}): AsyncGenerator<Session, void, undefined> {
    return eachItem(
      (page) => this.listSessions({ ...options, ...page }),
      ({ sessions }) => sessions,
    );
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
    return this.remove('sessions.delete', input, options);
  }
}
