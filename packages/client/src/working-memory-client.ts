import {
  ClientArea,
  conditions,
  type EachOptions,
  eachItem,
  orNull,
  type PageOptions,
  pageOf,
  type UserOptions,
  userOf,
  type WriteOptions,
} from './client-area.js';
import {
  memoryServiceRoutes,
  type WorkingCleared,
  type WorkingEntry,
  type WorkingList,
} from './generated/operations.js';
import type { ClientOptions } from './transport.js';

export interface SetPlanStateOptions extends WriteOptions {
  ttlSeconds?: number;
  /** The session that the value comes from. The call rejects with OFF_THE_RECORD if that is off the record. */
  sessionId?: string;
  /** Write only if there is no value yet. */
  onlyIfAbsent?: boolean;
}

interface ListPlanStateOptions extends PageOptions {
  /** Only keys that begin with this prefix. */
  prefix?: string;
}

/** A value of working memory with its ETag, to be passed as `ifMatch`. */
export type PlanState = WorkingEntry & { etag: string };

/** Calls for the working memory of plans. */
export class WorkingMemoryClient extends ClientArea {
  constructor(options: ClientOptions) {
    super(options, memoryServiceRoutes);
  }

  async setPlanState(
    planId: string,
    key: string,
    value: unknown,
    options: SetPlanStateOptions = {},
  ): Promise<PlanState> {
    const { answer, etag } = await this.transport.call(
      'working.put',
      {
        path: { plan_id: planId, key },
        body: { value, ttl_seconds: options.ttlSeconds, session_id: options.sessionId, ...userOf(options) },
        headers: { ...conditions(options), ...(options.onlyIfAbsent ? { 'if-none-match': '*' } : {}) },
      },
      options,
    );
    return { ...answer, etag: etag ?? '' };
  }

  /** Returns null if there is no such value. */
  async getPlanState(planId: string, key: string, options: UserOptions = {}): Promise<PlanState | null> {
    const input = { path: { plan_id: planId, key }, query: userOf(options) };
    const found = await orNull(this.transport.call('working.get', input, options));
    return found && { ...found.answer, etag: found.etag ?? '' };
  }

  /** Returns one page, sorted by key. Pass `next_cursor` as `cursor` to get the next page. */
  async listPlanState(planId: string, options: ListPlanStateOptions = {}): Promise<WorkingList> {
    const input = { path: { plan_id: planId }, query: { prefix: options.prefix, ...pageOf(options) } };
    return this.answer('working.list', input, options);
  }

  /** Yields all values of a plan, sorted by key. */
  allPlanState(
    planId: string,
    options: EachOptions<ListPlanStateOptions> = {},
  ): AsyncGenerator<WorkingEntry, void, undefined> {
    return eachItem(
      (page) => this.listPlanState(planId, { ...options, ...page }),
      ({ entries }) => entries,
    );
  }

  /** Deletes one value and returns false if there was none. Without a key, deletes the plan's whole working memory. */
  deletePlanState(planId: string, key: string, options?: WriteOptions): Promise<boolean>;
  deletePlanState(planId: string, key?: undefined, options?: UserOptions): Promise<WorkingCleared>;
  async deletePlanState(planId: string, key?: string, options: WriteOptions = {}): Promise<boolean | WorkingCleared> {
    const query = userOf(options);
    if (key === undefined) {
      return this.answer('working.clear', { path: { plan_id: planId }, query }, options);
    }
    const input = { path: { plan_id: planId, key }, query, headers: conditions(options) };
    return this.remove('working.delete', input, options);
  }
}
