import { createHash, timingSafeEqual } from 'node:crypto';
import { Problem } from '@memhall/core';
import type { Store } from '../../ports/store.js';
import { hashUserKey } from './user-key.js';

/**
 * Returns the user that the key belongs to, which must be the named one. An unknown key, another user's key and an
 * unknown user take the same path and get the same error. Throws UNAUTHENTICATED.
 */
export async function identifyUser(
  store: Store,
  named: { userId: string; userKey: string },
): Promise<{ tenantId: string; userId: string }> {
  const owner = await store.userOfKey(hashUserKey(named.userKey));
  const isSame = timingSafeEqual(digest(owner?.userId ?? ''), digest(named.userId));
  if (owner === undefined || !isSame) throw new Problem('UNAUTHENTICATED', 'The user_id or the user_key is wrong.');
  return owner;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
