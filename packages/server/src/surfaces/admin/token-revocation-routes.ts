import { Problem } from '@memhall/core';
import type { Static } from 'typebox';
import type { Engine } from '../../engine/engine.js';
import { listRevocations, type RevokedWhat, revokeTokens, undoRevocation } from '../../engine/tokens/revoke-tokens.js';
import { toMoment } from '../../http/moment.js';
import { defineRoute } from '../../http/route.js';
import { toNextCursor } from '../../http/wire-schemas.js';
import { toTokenRevocation } from './to-token-revocation.js';
import {
  Revocation,
  RevocationList,
  revocationBody,
  revocationListQuery,
  revocationParams,
  tenantParams,
} from './token-revocation-schemas.js';

const path = '/v1/tenants/{tenant_id}/token-revocations';

export const tokenRevocationRoutes = [
  defineRoute({
    operation: 'tokenRevocations.create',
    method: 'POST',
    path,
    summary: 'Revoke tokens before they expire: one, those of a user, or those of everybody in the tenant.',
    description:
      'Takes effect on every node within five seconds. Send token_id; or user_id, with or without issued_before; or issued_before alone. A token without `iat` counts as issued before. Revoking the same again extends the revocation.',
    access: 'admin',
    tenantWide: true,
    request: { params: tenantParams, body: revocationBody },
    responses: { 200: { description: 'The revocation', schema: Revocation } },
    async handle({ engine }: { engine: Engine }, { caller, body }) {
      return { body: toTokenRevocation(await revokeTokens(engine, caller, toWhat(body))) };
    },
  }),
  defineRoute({
    operation: 'tokenRevocations.list',
    method: 'GET',
    path,
    summary: 'List the revocations of tokens that are in force.',
    access: 'admin',
    tenantWide: true,
    request: { params: tenantParams, query: revocationListQuery },
    responses: { 200: { description: 'Oldest first', schema: RevocationList } },
    async handle({ engine }: { engine: Engine }, { caller, query }) {
      const { items, nextCursor } = await listRevocations(engine, caller.tenantId, query);
      return { body: { token_revocations: items.map(toTokenRevocation), ...toNextCursor(nextCursor) } };
    },
  }),
  defineRoute({
    operation: 'tokenRevocations.delete',
    method: 'DELETE',
    path: `${path}/{revocation_id}`,
    summary: 'Undo a revocation: its tokens are valid again until they expire.',
    access: 'admin',
    tenantWide: true,
    request: { params: revocationParams },
    responses: { 204: { description: 'Undone' } },
    problems: ['NOT_FOUND'],
    async handle({ engine }: { engine: Engine }, { caller, params }) {
      await undoRevocation(engine, caller, params.revocation_id);
      return {};
    },
  }),
];

function toWhat({ token_id, expires_at, user_id, issued_before }: Static<typeof revocationBody>): RevokedWhat {
  const isOfToken = token_id !== undefined;
  if (
    isOfToken === (user_id !== undefined || issued_before !== undefined) ||
    (!isOfToken && expires_at !== undefined)
  ) {
    throw new Problem(
      'INVALID_REQUEST',
      'Send token_id, with or without expires_at; or user_id, with or without issued_before; or issued_before alone.',
    );
  }
  if (isOfToken) return { tokenId: token_id, expiresAt: toMoment('expires_at', expires_at) };
  return { userId: user_id ?? null, issuedBefore: toMoment('issued_before', issued_before) };
}
