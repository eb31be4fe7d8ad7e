import type { Json } from '@memhall/core';

/**
 * - `INVALID_REQUEST`: the request is not one that can be answered
 * - `FORBIDDEN`: it names an owner, or asks for something, that this provider is not made for
 * - `TIER_CAP_EXCEEDED`: the text would be larger than its tier allows; details: tier, cap, projected, current
 * - `CONTENT_BLOCKED`: the text would steer a model; details: category, rule
 * - `PAYLOAD_TOO_LARGE`: the text is larger than is taken in one request
 * - `LEGAL_HOLD`: what is to be forgotten must be kept
 * - `NOT_IMPLEMENTED`: the provider does not do this, as its capabilities say
 */
export type ProviderInvalidCode =
  | 'INVALID_REQUEST'
  | 'FORBIDDEN'
  | 'TIER_CAP_EXCEEDED'
  | 'CONTENT_BLOCKED'
  | 'PAYLOAD_TOO_LARGE'
  | 'LEGAL_HOLD'
  | 'NOT_IMPLEMENTED';

/** The request must be changed before it is made again. */
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

/** There was no answer in time. */
export class ProviderTimeout extends Error {
  override readonly name = 'ProviderTimeout';
}

/** The backend cannot be reached, refuses us, or answers what makes no sense. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable';
}

export function isProviderError(error: unknown): error is ProviderInvalid | ProviderTimeout | ProviderUnavailable {
  return error instanceof ProviderInvalid || error instanceof ProviderTimeout || error instanceof ProviderUnavailable;
}
