import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Problem, uuidv7 } from '@memhall/core';
import type { Sealed } from '../../ports/artifact-bodies.js';
import { KeyUnavailableError, type KeyWrapper } from '../../ports/key-wrapper.js';
import type { Tables } from '../../ports/store.js';
import type { TenantKey } from '../../ports/tenant-keys.js';

const keyMs = 60_000;

/** Encrypts with the tenant's own data key. `context` is bound to the result: it can only be decrypted in its place. */
export class TenantCipher {
  readonly #wrapper: KeyWrapper;
  readonly #keys = new Map<string, { key: Buffer; until: number }>();

  constructor(wrapper: KeyWrapper) {
    this.#wrapper = wrapper;
  }

  /** Creates the tenant's key if it has none. Requires a write transaction. */
  async seal(tables: Tables, tenantId: string, plain: Uint8Array, context: string, now: Date): Promise<Sealed> {
    const { keyId, key } = await this.#currentKey(tables, tenantId, now);
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context, 'utf8'));
    const ciphertext = Buffer.concat([cipher.update(plain), cipher.final()]);
    return {
      algorithm: 'A256GCM',
      key_id: keyId,
      iv: iv.toString('base64'),
      tag: cipher.getAuthTag().toString('base64'),
      ciphertext: ciphertext.toString('base64'),
    };
  }

  /** Throws SNAPSHOT_UNREADABLE if it was altered or moved, or if the tenant's key is missing. */
  async open(tables: Tables, tenantId: string, sealed: Sealed, context: string): Promise<Buffer> {
    const stored = await tables.tenantKeys.get(sealed.key_id);
    if (stored === undefined) throw unreadable("the tenant's key was destroyed");
    const key = await this.#unwrap(tenantId, stored);
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(sealed.iv, 'base64'), { authTagLength: 16 })
      .setAAD(Buffer.from(context, 'utf8'))
      .setAuthTag(Buffer.from(sealed.tag, 'base64'));
    try {
      return Buffer.concat([decipher.update(Buffer.from(sealed.ciphertext, 'base64')), decipher.final()]);
    } catch (cause) {
      throw unreadable('it was altered', cause);
    }
  }

  async #currentKey(tables: Tables, tenantId: string, now: Date): Promise<{ keyId: string; key: Buffer }> {
    const stored = await tables.tenantKeys.newest();
    if (stored !== undefined) return { keyId: stored.keyId, key: await this.#unwrap(tenantId, stored) };
    const key = randomBytes(32);
    const keyId = uuidv7(now.getTime());
    const wrapped = await this.#wrapper.wrap(key, tenantId);
    tables.tenantKeys.add({ keyId, wrapped, wrappedBy: this.#wrapper.keyId, createdAt: now });
    return { keyId, key };
  }

  /**
   * Unwraps a key and caches it for a minute. Callers read the key's row every time, so nothing is decrypted once it
   * was destroyed.
   */
  async #unwrap(tenantId: string, { keyId, wrapped, wrappedBy }: TenantKey): Promise<Buffer> {
    const cacheKey = `${tenantId}\n${keyId}`;
    const known = this.#keys.get(cacheKey);
    if (known !== undefined && known.until > Date.now()) return known.key;
    try {
      const key = await this.#wrapper.unwrap(wrapped, tenantId, wrappedBy);
      this.#keys.set(cacheKey, { key, until: Date.now() + keyMs });
      return key;
    } catch (error) {
      throw error instanceof KeyUnavailableError ? unreadable(error.message, error) : error;
    }
  }

  /** Wraps a tenant's keys again with the current master key. Returns how many were wrapped with another one. */
  async rewrap(tables: Tables, tenantId: string): Promise<number> {
    const outdated = (await tables.tenantKeys.all()).filter(({ wrappedBy }) => wrappedBy !== this.#wrapper.keyId);
    for (const stored of outdated) {
      const key = await this.#wrapper.unwrap(stored.wrapped, tenantId, stored.wrappedBy);
      const wrapped = await this.#wrapper.wrap(key, tenantId);
      tables.tenantKeys.rewrap({ ...stored, wrapped, wrappedBy: this.#wrapper.keyId });
    }
    return outdated.length;
  }

  /** Drops a tenant's cached keys. */
  forget(tenantId: string): void {
    for (const key of this.#keys.keys()) if (key.startsWith(`${tenantId}\n`)) this.#keys.delete(key);
  }
}

function unreadable(reason: string, cause?: unknown): Problem {
  return new Problem('SNAPSHOT_UNREADABLE', `The snapshot cannot be read: ${reason}.`, { cause });
}
