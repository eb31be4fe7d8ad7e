import { Problem } from '@memhall/core';
import { workspaceOf } from '../../engine/namespace-names.js';
import { registerUser } from '../../engine/users/register-user.js';
import { defineRoute } from '../../http/route.js';
import { User, userBody } from './gateway-schemas.js';
import type { GatewayServices } from './gateway-services.js';

const operation = 'users.register';

export const userRoutes = [
  defineRoute({
    operation,
    method: 'POST',
    path: '/users',
    summary: 'Create a user and its key, or replace the key.',
    description:
      'Requires a token with the role service or admin. With the embedded database, a caller on the same machine can create users of the tenant default without a token, if nothing is stored for them yet and the server has been reached only under loopback names and addresses. Replacing a key always requires a token.',
    access: 'service-or-local',
    request: { body: userBody },
    responses: { 200: { description: 'The user, with its key if the key is new', schema: User } },
    async handle({ engine, defaultTenant }: GatewayServices, { body, caller, identity, requestId, since }) {
      if (identity === undefined && body.rotate) {
        throw new Problem('UNAUTHENTICATED', 'Replacing a key requires a token with the role service or admin.');
      }
      const anonymous = { userId: null, serviceId: null, roles: [] };
      const local = { tenantId: defaultTenant, userId: body.user_id, actor: anonymous, operation, requestId, since };
      const { createdAt, key } = await registerUser(engine, caller ?? local, {
        rotate: body.rotate,
        unlessStored: identity === undefined ? workspaceOf(body.user_id) : undefined,
      });
      return {
        body: {
          user_id: body.user_id,
          ...(key === undefined ? {} : { user_key: key }),
          created_at: createdAt.toISOString(),
        },
      };
    },
  }),
];
