import { Problem } from '@memhall/core';
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
    summary: 'Make a user and a key for it, or replace the key',
    description:
      'Needs a token with role service or admin. On the embedded database a caller on the same machine needs none to make a user of tenant default; replacing a key always takes one.',
    access: 'service-or-local',
    request: { body: userBody },
    responses: { 200: { description: 'The user, with the key if it is new', schema: User } },
    async handle({ engine, defaultTenant }: GatewayServices, { body, caller, identity, requestId, since }) {
      if (identity === undefined && body.rotate) {
        throw new Problem('UNAUTHENTICATED', 'Replacing a key needs a token with role service or admin.');
      }
      const nobody = { userId: null, serviceId: null, roles: [] };
      const local = { tenantId: defaultTenant, userId: body.user_id, actor: nobody, operation, requestId, since };
      const { createdAt, key } = await registerUser(engine, caller ?? local, body.rotate);
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
