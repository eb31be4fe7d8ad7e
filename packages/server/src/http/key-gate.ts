import type { BlockList } from 'node:net';
import { Problem } from '@memhall/core';
import type { FastifyRequest } from 'fastify';
import { noClaims } from '../engine/one-memory/namespace-grants.js';
import { clientAddress } from './client-address.js';
import type { FailedKeys } from './failed-keys.js';
import type { Quotas } from './quotas.js';
import type { NamedKey } from './read-key.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The user and key that were checked, on routes with access `key`. */
    namedKey?: NamedKey;
  }
}

interface KeyGateOptions {
  /** Returns the owner of a user key. Throws UNAUTHENTICATED if the key does not belong to the named user. */
  identify(named: NamedKey): Promise<{ tenantId: string; userId: string }>;
  quotas: Quotas;
  failures: FailedKeys;
  /** Proxies whose X-Forwarded-For is believed. */
  proxies: BlockList;
}

/** Part of the body schema of every route with access `key`. */
interface KeyHolder {
  user_id: string;
  user_key: string;
}

/** Admits requests by the user key in their body, before anything else in the body is looked at. */
export class KeyGate {
  readonly #options: KeyGateOptions;

  constructor(options: KeyGateOptions) {
    this.#options = options;
  }

  /** Sets the identity of the request. Throws UNAUTHENTICATED or QUOTA_EXCEEDED. */
  async admit(request: FastifyRequest, named: NamedKey): Promise<void> {
    const { failures, quotas, proxies } = this.#options;
    const address = clientAddress(request.raw, proxies);
    failures.check(address, named.userKey);
    const identity = {
      ...(await this.#identify(address, named)),
      serviceId: null,
      isService: false,
      roles: [],
      maxTrust: null,
      claims: noClaims,
    };
    request.identity = identity;
    request.namedKey = named;
    await quotas.consume(identity, identity.userId);
  }

  async #identify(address: string, named: NamedKey): Promise<{ tenantId: string; userId: string }> {
    const { failures, identify } = this.#options;
    try {
      const owner = await identify(named);
      failures.noteRight(named.userKey);
      return owner;
    } catch (error) {
      if (error instanceof Problem && error.code === 'UNAUTHENTICATED') failures.noteWrong(address);
      throw error;
    }
  }
}

/** Throws INVALID_REQUEST if the parsed body has another user or key than the one that was checked. */
export function checkSameKey({ namedKey, body }: FastifyRequest): void {
  const { user_id: userId, user_key: userKey } = body as KeyHolder;
  if (namedKey?.userId === userId && namedKey.userKey === userKey) return;
  throw new Problem('INVALID_REQUEST', 'Send user_id and user_key only once.');
}
