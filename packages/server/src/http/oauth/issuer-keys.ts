import { Problem } from '@memhall/core';
import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose';
import { discoverKeySet } from './discover-key-set.js';
import { fetchFromIssuer } from './fetch-json.js';

const rediscoverMs = 3_600_000;
/** While an issuer does not answer, it is not asked more often. */
const retryMs = 10_000;

/**
 * The keys of one issuer, discovered when they are first needed and cached. While the issuer does not respond, keys that
 * are known still count.
 */
export class IssuerKeys {
  readonly #issuer: string;
  readonly #warn: (message: string) => void;
  #address: string | undefined;
  #keys: JWTVerifyGetKey | undefined;
  #askAgainAt = 0;
  #asking: Promise<void> | undefined;

  constructor(issuer: string, warn: (message: string) => void) {
    this.#issuer = issuer;
    this.#warn = warn;
  }

  /** Throws UNAVAILABLE if the issuer cannot be asked, and an error of the JWT library if the token has none of its keys. */
  readonly get: JWTVerifyGetKey = async (header, token) => {
    await this.#refresh();
    if (this.#keys === undefined) throw unavailable();
    try {
      return await this.#keys(header, token);
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) throw error;
      this.#warn(`The key set of the issuer ${this.#issuer} cannot be read.`);
      throw unavailable(error);
    }
  };

  /** Calls at the same time share one request. */
  async #refresh(): Promise<void> {
    if (Date.now() < this.#askAgainAt) return;
    this.#asking ??= this.#discover().finally(() => {
      this.#asking = undefined;
    });
    if (this.#keys === undefined) await this.#asking;
  }

  async #discover(): Promise<void> {
    try {
      const url = await discoverKeySet(this.#issuer);
      this.#askAgainAt = Date.now() + rediscoverMs;
      if (this.#address === url.href) return;
      this.#address = url.href;
      this.#keys = createRemoteJWKSet(url, { [customFetch]: fetchFromIssuer });
    } catch (error) {
      this.#askAgainAt = Date.now() + retryMs;
      this.#warn(`The issuer ${this.#issuer} cannot be used: ${reasonOf(error)}.`);
    }
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'it cannot be reached';
  if (error.name === 'TimeoutError') return 'it does not answer in time';
  return error instanceof TypeError ? 'it cannot be reached, or redirects' : error.message;
}

function unavailable(cause?: unknown): Problem {
  const options = { retryAfterSeconds: retryMs / 1000, ...(cause === undefined ? {} : { cause }) };
  return new Problem('UNAVAILABLE', 'Tokens of this issuer cannot be verified right now. Try again shortly.', options);
}
