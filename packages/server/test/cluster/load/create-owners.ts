import { signToken } from '../../../src/cli/sign-token.js';
import { send } from '../../support/server.js';
import type { Owner } from './load-client.js';

/** Creates the same users in two tenants: nothing may get from one to the other. */
export function createOwners(url: string, secret: string, prefix: string): Promise<Owner[]> {
  const places = ['a', 'b'].flatMap((letter) => ['ann', 'bob'].map((user) => ({ tenant: `${prefix}${letter}`, user })));
  return Promise.all(
    places.map(async ({ tenant, user }) => {
      const service = await signToken(secret, { tenant, user: 'boss', roles: ['service'], ttlSeconds: 3600 });
      const { body } = await send(url, { method: 'POST', path: '/users', body: { user_id: user }, token: service });
      const token = await signToken(secret, { tenant, user, ttlSeconds: 3600 });
      return { tenant, user, token, userKey: body.user_key };
    }),
  );
}
