import { randomBytes } from 'node:crypto';
import type { TokenCredential } from '@azure/identity';
import { CryptographyClient, KeyClient, type KeyClientOptions } from '@azure/keyvault-keys';
import { Problem, StartUpError } from '@memhall/core';
import { KeyUnavailableError, type KeyWrapper } from '../../ports/key-wrapper.js';
import { openKey, sealKey } from '../sealed-key.js';

const algorithm = 'RSA-OAEP-256';
const callTimeoutMs = 10_000;
const lengthBytes = 2;

interface KeyVaultOptions {
  /** `https://<vault>/keys/<name>`; wraps with the newest version. */
  keyUrl: string;
  credential: TokenCredential;
  /** Unwraps keys that were wrapped before the vault was used. */
  previous: KeyWrapper | undefined;
}

/** Throws StartUpError if the key cannot be read. */
export async function openKeyVaultWrapper(options: KeyVaultOptions): Promise<KeyWrapper> {
  const { origin, host, pathname } = new URL(options.keyUrl);
  const [, , name = ''] = pathname.split('/');
  const clients = clientOptions(host);
  try {
    const key = await new KeyClient(origin, options.credential, clients).getKey(name, { abortSignal: deadline() });
    return new KeyVaultWrapper(key.id ?? '', options, clients);
  } catch (error) {
    const message =
      statusOf(error) === 403
        ? `Azure Key Vault at ${host} denies access to the key "${name}": the identity of this process needs the permissions get, wrapKey and unwrapKey.`
        : `The key "${name}" of Azure Key Vault at ${host} cannot be used: check MEMHALL_KEY_VAULT_KEY, the identity of this process and the network.`;
    throw new StartUpError(message, { cause: withoutRequest(error) });
  }
}

/**
 * Key Vault wraps with RSA, which binds no context. So it wraps a key made for one data key only, and that key seals the
 * data key together with the context.
 */
class KeyVaultWrapper implements KeyWrapper {
  readonly #options: KeyVaultOptions;
  readonly #clients: KeyClientOptions;

  constructor(
    /** The key's URL with its version. */
    readonly keyId: string,
    options: KeyVaultOptions,
    clients: KeyClientOptions,
  ) {
    this.#options = options;
    this.#clients = clients;
  }

  knows(keyId: string): boolean {
    return this.#isOurs(keyId) || this.#options.previous?.knows(keyId) === true;
  }

  async wrap(key: Buffer, context: string): Promise<Buffer> {
    const own = randomBytes(32);
    const { result } = await this.#call(this.keyId, (client, abortSignal) =>
      client.wrapKey(algorithm, own, { abortSignal }),
    );
    const length = Buffer.alloc(lengthBytes);
    length.writeUInt16BE(result.length);
    return Buffer.concat([length, result, sealKey(own, key, context)]);
  }

  async unwrap(wrapped: Buffer, context: string, wrappedBy: string): Promise<Buffer> {
    const { previous } = this.#options;
    if (!this.#isOurs(wrappedBy) && previous !== undefined) return previous.unwrap(wrapped, context, wrappedBy);
    if (!this.#isOurs(wrappedBy)) throw new KeyUnavailableError('the data key was wrapped with another master key');
    const end = lengthBytes + (wrapped.length < lengthBytes ? 0 : wrapped.readUInt16BE());
    const { result } = await this.#call(wrappedBy, (client, abortSignal) =>
      client.unwrapKey(algorithm, wrapped.subarray(lengthBytes, end), { abortSignal }),
    );
    return openKey(Buffer.from(result), wrapped.subarray(end), context);
  }

  #isOurs(keyId: string): boolean {
    return keyId.startsWith(`${this.#options.keyUrl}/`);
  }

  async #call<T>(
    keyId: string,
    work: (client: CryptographyClient, abortSignal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    try {
      return await work(new CryptographyClient(keyId, this.#options.credential, this.#clients), deadline());
    } catch (error) {
      if (isRefusal(error))
        throw new KeyUnavailableError('the key vault refuses to use the master key', {
          cause: withoutRequest(error),
        });
      const message = 'The key vault does not respond. Try again shortly.';
      throw new Problem('UNAVAILABLE', message, { retryAfterSeconds: 5, cause: withoutRequest(error) });
    }
  }
}

function deadline(): AbortSignal {
  return AbortSignal.timeout(callTimeoutMs);
}

/** A vault on this machine is a stand-in, which has neither TLS nor the name that tokens are issued for. */
function clientOptions(host: string): KeyClientOptions {
  const isLocal = /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host);
  return {
    retryOptions: { maxRetries: 2, retryDelayInMs: 200, maxRetryDelayInMs: 1000 },
    ...(isLocal ? { allowInsecureConnection: true, disableChallengeResourceVerification: true } : {}),
  };
}

/** Whether the service responded that the caller or the request is wrong: asking again does not help. */
function isRefusal(error: unknown): boolean {
  const status = statusOf(error) ?? 0;
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

function statusOf(error: unknown): number | undefined {
  return (error as { statusCode?: number }).statusCode;
}

/** Errors of the library include the request with its token, which must not reach a log. */
function withoutRequest(error: unknown): Error {
  const { name, code } = error as { name?: string; code?: string };
  return new Error(['Azure Key Vault:', name, code, statusOf(error)].filter((part) => part !== undefined).join(' '));
}
