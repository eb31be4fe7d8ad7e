import { Problem } from '@memhall/core';
import { mutate } from '../audit/mutate.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { hashUserKey, newUserKey } from './user-key.js';

interface RegisteredUser {
  createdAt: Date;
  /** Set only if a key was just created: it cannot be read again. */
  key: string | undefined;
}

interface Registration {
  /** Replace the key if there is one. */
  rotate: boolean;
  /** Set to the workspace of the user: create no key if anything is stored for them or in it, since the key would open it. */
  unlessStored?: string | undefined;
}

/** Registers the caller's user with the gateway. A user has one key. Throws UNAUTHENTICATED. */
export async function registerUser(
  engine: Engine,
  caller: Caller,
  { rotate, unlessStored: workspace }: Registration,
): Promise<RegisteredUser> {
  const { tenantId, userId } = caller;
  const isRefused =
    workspace !== undefined &&
    (await engine.store.inspect(tenantId, (tables) => tables.erasure.hasRows(userId, workspace)));
  return mutate<RegisteredUser>(engine, caller, async (tables, now) => {
    const present = await tables.userKeys.get();
    if (present !== undefined && !rotate) {
      return { result: { createdAt: present.createdAt, key: undefined }, mutations: [] };
    }
    if (isRefused) {
      throw new Problem(
        'UNAUTHENTICATED',
        'Something is already stored for this user. Creating its key requires a token with the role service or admin.',
      );
    }
    const key = newUserKey();
    const createdAt = present?.createdAt ?? now;
    tables.userKeys.put({ keyHash: hashUserKey(key), createdAt, updatedAt: now });
    const mutation = {
      target: `user/${userId}`,
      preEtag: null,
      postEtag: null,
      contentHash: null,
      details: { user_key: present === undefined ? 'made' : 'replaced' },
    };
    return { result: { createdAt, key }, mutations: [mutation] };
  });
}
