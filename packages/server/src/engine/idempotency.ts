import { createHash } from 'node:crypto';
import { canonicalJson, type Json, Problem } from '@memhall/core';
import type { IdempotencyRecord } from '../ports/idempotency-keys.js';

export interface IdempotencyRequest {
  key: string;
  payloadHash: string;
}

const keptMs = 24 * 3600 * 1000;

/** When records made before have ceased to count. */
export function idempotencyHorizon(now: Date): Date {
  return new Date(now.getTime() - keptMs);
}

/** What identifies a request beside its key: everything that was asked, and nothing about the state it met. */
export function payloadHash(payload: Json): string {
  return createHash('sha256').update(canonicalJson(payload)).digest('hex');
}

/** What was noted when the same request was carried out, or undefined. Throws IDEMPOTENCY_CONFLICT when it was another. */
export function earlierResult(
  earlier: IdempotencyRecord | undefined,
  { payloadHash }: IdempotencyRequest,
): IdempotencyRecord['result'] | undefined {
  if (earlier !== undefined && earlier.payloadHash !== payloadHash) {
    throw new Problem(
      'IDEMPOTENCY_CONFLICT',
      'This Idempotency-Key was used for another request: repeat that one, or take a new key.',
    );
  }
  return earlier?.result;
}
