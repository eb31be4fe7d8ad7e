import type { Json } from '@memhall/core';

/**
 * - `INVALID_REQUEST`: the request is malformed
 * - `FORBIDDEN`: the request names an owner or asks for something that this provider may not access
 * - `TIER_CAP_EXCEEDED`: the text would be larger than its tier allows; details: tier, cap, projected, current
 * - `CONTENT_BLOCKED`: the text could manipulate a model; details: category, rule
 * - `PAYLOAD_TOO_LARGE`: the text is too large for one request
 * - `LEGAL_HOLD`: a legal hold prevents the removal
 * - `NOT_IMPLEMENTED`: the provider does not support this, as its capabilities show
 */
export type ProviderInvalidCode =
  | 'INVALID_REQUEST'
  | 'FORBIDDEN'
  | 'TIER_CAP_EXCEEDED'
  | 'CONTENT_BLOCKED'
  | 'PAYLOAD_TOO_LARGE'
  | 'LEGAL_HOLD'
  | 'NOT_IMPLEMENTED';

/** The request must be changed before it is sent again. */
export class ProviderInvalid extends Error {
  override readonly name = 'ProviderInvalid';
  readonly code: ProviderInvalidCode;
  readonly details: Readonly<Record<string, Json>>;

  constructor(code: ProviderInvalidCode, message: string, details: Readonly<Record<string, Json>> = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** There was no response in time. */
export class ProviderTimeout extends Error {
  override readonly name = 'ProviderTimeout';
}

/** The backend is unreachable, rejects the call or sends a malformed response. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable';
}

export function isProviderError(error: unknown): error is ProviderInvalid | ProviderTimeout | ProviderUnavailable {
  return error instanceof ProviderInvalid || error instanceof ProviderTimeout || error instanceof ProviderUnavailable;
}
