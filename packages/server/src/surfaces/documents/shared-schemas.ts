import { Problem } from '@memhall/core';
import { Type } from 'typebox';
import type { Caller } from '../../engine/caller.js';
import { Id, ifMatch, ifNoneMatch } from '../../http/wire-schemas.js';

export const tenantParams = { tenant_id: Id };
export const userParams = { ...tenantParams, user_id: Id };

/** Names the calling service if the token does not. */
export const serviceHeader = {
  'x-service-id': Type.Optional(Type.String({ description: 'Calling service. Ignored if the token names one.' })),
};

export const readHeaders = Type.Object({
  'if-none-match': Type.Optional(
    Type.String({ description: 'ETags that the client has. The status is 304 if one of them matches.' }),
  ),
});

export const writeHeaders = Type.Object({
  ...serviceHeader,
  'if-match': ifMatch,
  'if-none-match': ifNoneMatch,
  'idempotency-key': Type.Optional(
    Type.String({ description: '1 to 255 visible ASCII characters. Stored for 24 hours.' }),
  ),
});

const servicePattern = /^[A-Za-z0-9._:@-]{1,128}$/;

/** The service in the token takes precedence over the header, which any client can set. */
export function withService(caller: Caller, headers: { 'x-service-id'?: string }): Caller {
  const named = headers['x-service-id'];
  if (named === undefined || caller.actor.serviceId !== null) return caller;
  if (!servicePattern.test(named)) throw new Problem('INVALID_REQUEST', 'The header X-Service-Id is not a valid id.');
  return { ...caller, actor: { ...caller.actor, serviceId: named } };
}
