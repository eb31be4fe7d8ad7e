/**
 * Encrypts the tenants' data keys with a key that never leaves its place: a master key in the configuration, or one in
 * a key management service. `context` is bound to the result: a key wrapped for one tenant cannot be unwrapped for
 * another.
 */
export interface KeyWrapper {
  /** Id of the master key that `wrap` uses. Stored with each wrapped key; not a secret. */
  readonly keyId: string;
  /** Whether keys wrapped with this master key can be unwrapped. */
  knows(keyId: string): boolean;
  wrap(key: Buffer, context: string): Promise<Buffer>;
  /**
   * Throws KeyUnavailableError if the master key `wrappedBy` cannot be used or the wrapped key was altered. Both calls
   * throw UNAVAILABLE if the key management service does not respond.
   */
  unwrap(wrapped: Buffer, context: string, wrappedBy: string): Promise<Buffer>;
}

export class KeyUnavailableError extends Error {
  override readonly name = 'KeyUnavailableError';
}
