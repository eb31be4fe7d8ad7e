import { ClientArea, conditions, orNull, type UserOptions, userOf, type WriteOptions } from './client-area.js';
import type { WorkingCleared, WorkingEntry, WorkingList } from './generated/operations.js';

export interface SetPlanStateOptions extends WriteOptions {
  ttlSeconds?: number;
  /** Write only if there is nothing yet. */
  onlyIfAbsent?: boolean;
}

/** A value of working memory with the ETag to send back as `ifMatch`. */
export type PlanState = WorkingEntry & { etag: string };

/** Working memory of plans. */
export class WorkingMemoryClient extends ClientArea {
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
        body: {
          value,
          ...(options.ttlSeconds === undefined ? {} : { ttl_seconds: options.ttlSeconds }),
          ...userOf(options),
        },
        headers: { ...conditions(options), ...(options.onlyIfAbsent ? { 'if-none-match': '*' } : {}) },
      },
      options,
    );
    return { ...answer, etag: etag ?? '' };
  }

  /** null when there is no such value. */
  async getPlanState(planId: string, key: string, options: UserOptions = {}): Promise<PlanState | null> {
    const input = { path: { plan_id: planId, key }, query: userOf(options) };
    const found = await orNull(this.transport.call('working.get', input, options));
    return found && { ...found.answer, etag: found.etag ?? '' };
  }

  /** One page, by key; `next_cursor` leads to the next. */
  async listPlanState(
    planId: string,
    options: UserOptions & { limit?: number; cursor?: string } = {},
  ): Promise<WorkingList> {
    const { limit, cursor } = options;
    const query = {
      ...(limit === undefined ? {} : { limit }),
      ...(cursor === undefined ? {} : { cursor }),
      ...userOf(options),
    };
    return (await this.transport.call('working.list', { path: { plan_id: planId }, query }, options)).answer;
  }

  /** Deletes one value (false: there was none), or, without a key, the plan's whole working memory. */
  deletePlanState(planId: string, key: string, options?: WriteOptions): Promise<boolean>;
  deletePlanState(planId: string, key?: undefined, options?: UserOptions): Promise<WorkingCleared>;
  async deletePlanState(planId: string, key?: string, options: WriteOptions = {}): Promise<boolean | WorkingCleared> {
    const query = userOf(options);
    if (key === undefined) {
      return (await this.transport.call('working.clear', { path: { plan_id: planId }, query }, options)).answer;
    }
    const input = { path: { plan_id: planId, key }, query, headers: conditions(options) };
    return (await orNull(this.transport.call('working.delete', input, options))) !== null;
  }
}
