import { createHash, timingSafeEqual } from 'node:crypto';
import { Problem } from '@memhall/core';
import type { Store } from '../../ports/store.js';
import { hashUserKey } from './user-key.js';

/**
 * Whom a key belongs to, who must be the user that is named beside it. A key nobody has, somebody else's and a user nobody
 * knows take the same path and get the same answer. Throws UNAUTHENTICATED.
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
