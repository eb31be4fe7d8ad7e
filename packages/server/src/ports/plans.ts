import type { Json } from '@memhall/core';

/** The last three are final. */
export type PlanStatus = 'running' | 'paused' | 'completed' | 'failed' | 'cancelled';

/** The data a planner stores about a plan between events. */
export interface Plan {
  planId: string;
  goalEvent: string;
  goalData: { [key: string]: Json };
  status: PlanStatus;
  /** Owned by the planner. */
  state: { [key: string]: Json };
  /** Current state of the planner's state machine. */
  currentState: string | null;
  responseEvent: string | null;
  /** Ids of the events it waits for, without duplicates, in the order given. */
  correlationIds: string[];
  sessionId: string | null;
  parentPlanId: string | null;
  /** Opaque, without quotes; new with every put. */
  etag: string;
  createdAt: Date;
  updatedAt: Date;
  /** null if and only if it is running or paused. */
  finishedAt: Date | null;
}

/** The form of a plan in lists. */
export type PlanSummary = Omit<Plan, 'state'>;

export interface PlanFilter {
  /** `active`: running or paused. */
  status?: PlanStatus | 'active' | undefined;
  sessionId?: string | undefined;
}

/** Plans of the transaction's user. */
export interface Plans {
  get(planId: string): Promise<Plan | undefined>;
  /** An index lookup among unfinished plans. Returns the most recently created one if several wait for the id. */
  findByCorrelation(correlationId: string): Promise<Plan | undefined>;
  /** Newest first, by creation time and then by id, starting after the position `before`. */
  list(
    filter: PlanFilter,
    page: { before: { at: Date; id: string } | undefined; limit: number },
  ): Promise<PlanSummary[]>;
  /** Inserts or replaces, including correlation ids. Queued: a failure fails the transaction at commit. */
  put(plan: Plan): void;
  /** Deletes the plan but not its working memory. Queued; does nothing if it does not exist. */
  delete(planId: string): void;
}
