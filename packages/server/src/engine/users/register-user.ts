import { mutate } from '../audit/mutate.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { hashUserKey, newUserKey } from './user-key.js';

interface RegisteredUser {
  createdAt: Date;
  /** Set only if a key was just created: it cannot be read again. */
  key: string | undefined;
}

/** Registers the caller's user with the gateway. A user has one key; it is replaced only if `rotate` is set. */
export function registerUser(engine: Engine, caller: Caller, rotate: boolean): Promise<RegisteredUser> {
  return mutate<RegisteredUser>(engine, caller, async (tables, now) => {
    const present = await tables.userKeys.get();
    if (present !== undefined && !rotate) {
      return { result: { createdAt: present.createdAt, key: undefined }, mutations: [] };
    }
    const key = newUserKey();
    const createdAt = present?.createdAt ?? now;
    tables.userKeys.put({ keyHash: hashUserKey(key), createdAt, updatedAt: now });
    const mutation = {
      target: `user/${caller.userId}`,
      preEtag: null,
      postEtag: null,
      contentHash: null,
      details: { user_key: present === undefined ? 'made' : 'replaced' },
    };
    return { result: { createdAt, key }, mutations: [mutation] };
  });
}
