import { createHash, randomBytes } from 'node:crypto';
import { StartUpError } from '@memhall/core';
import { KeyUnavailableError, type KeyWrapper } from '../ports/key-wrapper.js';
import { openKey, sealKey } from './sealed-key.js';

const keyBytes = 32;

/** The current master key first, then previous ones that may still be needed. */
export type MasterKeys = readonly [Buffer, ...Buffer[]];

/**
 * Wraps with AES-256-GCM. The first key wraps; the others only unwrap, so that a new master key can replace an older
 * one. `reload` is called for a key that is not known yet: another process may have created it.
 */
export class MasterKeyWrapper implements KeyWrapper {
  readonly #reload: () => Promise<MasterKeys>;
  #keys: ReadonlyMap<string, Buffer> = new Map();
  #current: Buffer;

  constructor(keys: MasterKeys, reload: () => Promise<MasterKeys> = async () => keys) {
    this.#reload = reload;
    this.#current = keys[0];
    this.#take(keys);
  }

  get keyId(): string {
    return masterKeyId(this.#current);
  }

  knows(keyId: string): boolean {
    return this.#keys.has(keyId);
  }

  async wrap(key: Buffer, context: string): Promise<Buffer> {
    return sealKey(this.#current, key, context);
  }

  async unwrap(wrapped: Buffer, context: string, wrappedBy: string): Promise<Buffer> {
    if (!this.#keys.has(wrappedBy)) this.#take(await this.#reload());
    const key = this.#keys.get(wrappedBy);
    if (key === undefined) throw new KeyUnavailableError('the data key was wrapped with another master key');
    return openKey(key, wrapped, context);
  }

  #take(keys: MasterKeys): void {
    this.#current = keys[0];
    this.#keys = new Map(keys.map((key) => [masterKeyId(key), key]));
  }
}

/** Returns an id that distinguishes master keys without revealing anything about them. */
function masterKeyId(key: Buffer): string {
  return createHash('sha256').update('memhall master key\n').update(key).digest('base64url').slice(0, 16);
}

/**
 * Parses 32 bytes in base64, as in the configuration. Throws a StartUpError that names the setting, never the value.
 */
export function parseMasterKey(text: string, setting: string): Buffer {
  const key = Buffer.from(text, 'base64');
  const wellFormed = /^[A-Za-z0-9+/]{43}=$/.test(text.trim());
  if (!wellFormed || key.length !== keyBytes) {
    throw new StartUpError(
      `${setting} must be 32 bytes in base64, for example the output of \`openssl rand -base64 32\`.`,
    );
  }
  return key;
}

export function newMasterKey(): string {
  return randomBytes(keyBytes).toString('base64');
}
