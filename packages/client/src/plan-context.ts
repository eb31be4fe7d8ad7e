import type { UserOptions } from './client-area.js';
import type { Plan } from './generated/operations.js';
import { hasCode, maxTries } from './memhall-error.js';
import type { PlanChange, PlanStatus, StateClient } from './state-client.js';

/** The goal given to a planner. */
export interface PlanFields {
  planId: string;
  goalEvent: string;
  goalData?: Record<string, unknown>;
  responseEvent?: string;
  sessionId?: string;
  parentPlanId?: string;
  /** Initial state of the state machine. */
  currentState?: string;
  state?: Record<string, unknown>;
}

/** A plan that has received an event. */
interface Waiting {
  state: Record<string, unknown>;
  /** Ids of the events that the plan still waits for. */
  correlationIds: string[];
}

/**
 * A state machine that outlives its planner. It advances on events and is restored by the id of the event it is waiting
 * for. Every change rejects with ETAG_MISMATCH if another planner has advanced the plan: restore the plan and decide
 * again.
 *
 * @example
 * const plan = new PlanContext(memory, { planId: 'plan-1', goalEvent: 'research.goal', currentState: 'searching' });
 * await plan.save();
 * await plan.transition('reading', { waitFor: ['search-1'] });
 * // later, perhaps in another process, when the event arrives:
 * const found = await PlanContext.restoreByCorrelation(memory, 'search-1');
 * await found?.complete();
 */
export class PlanContext {
  /** State of the planner. `save` and every transition store it. */
  state: Record<string, unknown>;
  readonly #memory: StateClient;
  readonly #options: UserOptions;
  readonly #fields: PlanFields;
  /** Undefined if the plan is not stored yet. */
  #plan: (Plan & { etag: string }) | undefined;

  constructor(memory: StateClient, fields: PlanFields, options: UserOptions = {}) {
    this.#memory = memory;
    this.#fields = fields;
    this.#options = options;
    this.state = fields.state ?? {};
  }

  /** Returns null if there is no such plan. */
  static async restore(memory: StateClient, planId: string, options: UserOptions = {}): Promise<PlanContext | null> {
    return PlanContext.#from(memory, await memory.getPlan(planId, options), options);
  }

  /** Returns null if no plan is waiting for this event. */
  static async restoreByCorrelation(
    memory: StateClient,
    correlationId: string,
    options: UserOptions = {},
  ): Promise<PlanContext | null> {
    return PlanContext.#from(memory, await memory.getPlanByCorrelation(correlationId, options), options);
  }

  static #from(memory: StateClient, found: (Plan & { etag: string }) | null, options: UserOptions): PlanContext | null {
    if (found === null) return null;
    const plan = new PlanContext(memory, { planId: found.plan_id, goalEvent: found.goal_event }, options);
    plan.#take(found);
    return plan;
  }

  get planId(): string {
    return this.#fields.planId;
  }

  get goalEvent(): string {
    return this.#fields.goalEvent;
  }

  get goalData(): Record<string, unknown> {
    return this.#plan?.goal_data ?? this.#fields.goalData ?? {};
  }

  get status(): PlanStatus {
    return this.#plan?.status ?? 'running';
  }

  /** Current state of the state machine. */
  get currentState(): string | null {
    return this.#plan === undefined ? (this.#fields.currentState ?? null) : this.#plan.current_state;
  }

  /** The event to send in response to the goal. */
  get responseEvent(): string | null {
    return this.#plan === undefined ? (this.#fields.responseEvent ?? null) : this.#plan.response_event;
  }

  /** Ids of the events that the plan is waiting for. */
  get correlationIds(): readonly string[] {
    return this.#plan?.correlation_ids ?? [];
  }

  /** Creates the plan, or stores its state if the plan exists. Creation rejects with CONFLICT if the id is taken. */
  async save(): Promise<void> {
    if (this.#plan !== undefined) return this.#change({});
    const { planId, goalEvent, goalData, responseEvent, sessionId, parentPlanId, currentState } = this.#fields;
    const created = await this.#memory.createPlan(
      {
        plan_id: planId,
        goal_event: goalEvent,
        state: this.state,
        ...(goalData === undefined ? {} : { goal_data: goalData }),
        ...(responseEvent === undefined ? {} : { response_event: responseEvent }),
        ...(sessionId === undefined ? {} : { session_id: sessionId }),
        ...(parentPlanId === undefined ? {} : { parent_plan_id: parentPlanId }),
        ...(currentState === undefined ? {} : { current_state: currentState }),
      },
      this.#options,
    );
    this.#take(created);
  }

  /** Advances the state machine, sets the events to wait for next, and stores the state. */
  async transition(to: string, { waitFor = [] }: { waitFor?: readonly string[] } = {}): Promise<void> {
    if (this.#plan === undefined) await this.save();
    await this.#change({ current_state: to, correlation_ids: [...waitFor] });
  }

  /**
   * Handles an awaited event: stops waiting for it and stores what `change` returns, in one write. Returns true for
   * exactly one planner, however often the event is delivered. If the planner dies before that, nothing has changed and
   * the event can be delivered again. `change` gets the stored state and the ids that the plan still waits for, and may
   * run several times; by default the state stays. Discards unsaved state.
   */
  async receive(correlationId: string, change: (plan: Waiting) => PlanChange = () => ({})): Promise<boolean> {
    for (let tries = 1; ; tries++) {
      const plan = await this.#memory.getPlan(this.planId, this.#options);
      if (plan !== null) this.#take(plan);
      if (!plan?.correlation_ids.includes(correlationId)) return false;
      const correlationIds = plan.correlation_ids.filter((id) => id !== correlationId);
      try {
        const changed = { correlation_ids: correlationIds, ...change({ state: plan.state, correlationIds }) };
        const options = { ...this.#options, ifMatch: plan.etag };
        this.#take(await this.#memory.updatePlan(this.planId, changed, options));
        return true;
      } catch (error) {
        if (!hasCode(error, 'ETAG_MISMATCH') || tries >= maxTries) throw error;
      }
    }
  }

  pause(): Promise<void> {
    return this.#become('paused');
  }

  resume(): Promise<void> {
    return this.#become('running');
  }

  complete(): Promise<void> {
    return this.#become('completed');
  }

  fail(): Promise<void> {
    return this.#become('failed');
  }

  cancel(): Promise<void> {
    return this.#become('cancelled');
  }

  /** Deletes the plan and its working memory. */
  async delete(): Promise<void> {
    await this.#memory.deletePlan(this.planId, this.#options);
    this.#plan = undefined;
  }

  /** Rejects with INVALID_TRANSITION if the plan has already finished with a different status. */
  async #become(status: PlanStatus): Promise<void> {
    if (this.#plan === undefined) await this.save();
    const waits = status === 'running' || status === 'paused';
    await this.#change({ status, ...(waits ? {} : { correlation_ids: [] }) });
  }

  async #change(change: PlanChange): Promise<void> {
    const options = this.#plan === undefined ? this.#options : { ...this.#options, ifMatch: this.#plan.etag };
    this.#take(await this.#memory.updatePlan(this.planId, { ...change, state: this.state }, options));
  }

  #take(plan: Plan & { etag: string }): void {
    this.#plan = plan;
    this.state = plan.state;
  }
}
