import { createHash } from 'node:crypto';
import { canonicalJson, type Json, Problem } from '@memhall/core';
import type { IdempotencyRecord } from '../ports/idempotency-keys.js';

export interface IdempotencyRequest {
  key: string;
  payloadHash: string;
  /** Key of a larger request that contains this one: if that was carried out, so was this one. */
  containedIn?: string;
}

const keptMs = 24 * 3600 * 1000;

/** Records made before this moment have expired. */
export function idempotencyHorizon(now: Date): Date {
  return new Date(now.getTime() - keptMs);
}

/** Identifies a request in addition to its key. The payload must contain all of its input and nothing of the stored state. */
export function payloadHash(payload: Json): string {
  return createHash('sha256').update(canonicalJson(payload)).digest('hex');
}

/** Returns the stored result of the same request, or undefined. Throws IDEMPOTENCY_CONFLICT if the key was for another request. */
export function earlierResult(
  earlier: IdempotencyRecord | undefined,
  { payloadHash }: IdempotencyRequest,
): IdempotencyRecord['result'] | undefined {
  if (earlier !== undefined && earlier.payloadHash !== payloadHash) {
    throw new Problem(
      'IDEMPOTENCY_CONFLICT',
      'This Idempotency-Key was used for a different request: repeat that request, or use a new key.',
    );
  }
  return earlier?.result;
}
