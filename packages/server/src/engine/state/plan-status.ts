import { Problem } from '@memhall/core';
import type { PlanStatus } from '../../ports/plans.js';

export const planStatuses = ['running', 'paused', 'completed', 'failed', 'cancelled'] as const;

export function isFinished(status: PlanStatus): boolean {
  return status !== 'running' && status !== 'paused';
}

/** A plan may run, pause and finish in any way; once finished it stays as it finished. */
export function checkTransition(from: PlanStatus, to: PlanStatus): void {
  if (from === to || !isFinished(from)) return;
  throw new Problem('INVALID_TRANSITION', `The plan is ${from} and cannot become ${to}: create a new plan.`, {
    details: { from, to },
  });
}
