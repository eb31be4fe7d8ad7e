import { Problem } from '@memhall/core';
import type { Operator } from '../../engine/operations/retry-jobs.js';
import type { RouteRequest } from '../../http/route.js';

/** Returns who the audit log names for a change that an operator makes. Routes for operators have checked the token. */
export function toOperator(
  operation: string,
  { identity, requestId, since }: Pick<RouteRequest, 'identity' | 'requestId' | 'since'>,
): Operator {
  if (identity === undefined) throw new Problem('UNAUTHENTICATED', 'A token is required.');
  const { tenantId, userId, serviceId, roles } = identity;
  return { tenantId, actor: { userId, serviceId, roles }, operation, requestId, since };
}
