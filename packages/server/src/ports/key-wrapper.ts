/**
 * Encrypts the tenants' data keys with a key that never leaves its place: a master key in the configuration, or one in a key
 * management service. `context` is bound to the result: what was wrapped for one tenant cannot be unwrapped for another.
 */
export interface KeyWrapper {
  /** Names the master key that `wrap` uses; stored with what it wrapped, and no secret. */
  readonly keyId: string;
  wrap(key: Buffer, context: string): Promise<Buffer>;
  /** Throws KeyUnavailableError when `wrappedBy` is not at hand, or the wrapped key was altered. */
  unwrap(wrapped: Buffer, context: string, wrappedBy: string): Promise<Buffer>;
}

export class KeyUnavailableError extends Error {
  override readonly name = 'KeyUnavailableError';
}
