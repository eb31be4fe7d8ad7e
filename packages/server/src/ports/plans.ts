import type { Json } from '@memhall/core';

/** The last three are final. */
export type PlanStatus = 'running' | 'paused' | 'completed' | 'failed' | 'cancelled';

/** What a planner keeps of a plan between events. */
export interface Plan {
  planId: string;
  goalEvent: string;
  goalData: { [key: string]: Json };
  status: PlanStatus;
  /** The planner's own. */
  state: { [key: string]: Json };
  /** Where the planner's state machine stands. */
  currentState: string | null;
  responseEvent: string | null;
  /** Ids of the events it waits for, each once, in the order they were given. */
  correlationIds: string[];
  sessionId: string | null;
  parentPlanId: string | null;
  /** Opaque, without quotes; new with every put. */
  etag: string;
  createdAt: Date;
  updatedAt: Date;
  /** null exactly while it is running or paused. */
  finishedAt: Date | null;
}

/** A plan as lists show it. */
export type PlanSummary = Omit<Plan, 'state'>;

export interface PlanFilter {
  /** `active`: running or paused. */
  status?: PlanStatus | 'active' | undefined;
  sessionId?: string | undefined;
}

/** Plans of the transaction's user. */
export interface Plans {
  get(planId: string): Promise<Plan | undefined>;
  /** An index look-up among plans that are not finished. The one created last where several wait for the id. */
  findByCorrelation(correlationId: string): Promise<Plan | undefined>;
  /** Newest first, by creation and then by id; only those after the position `before`. */
  list(
    filter: PlanFilter,
    page: { before: { at: Date; id: string } | undefined; limit: number },
  ): Promise<PlanSummary[]>;
  /** Inserts or replaces, correlation ids included. Queued: a failure fails the transaction when it commits. */
  put(plan: Plan): void;
  /** The plan alone, without its working memory. Queued; removing what is not there is no failure. */
  delete(planId: string): void;
}
