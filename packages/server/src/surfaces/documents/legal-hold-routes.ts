import { Problem } from '@memhall/core';
import type { Engine } from '../../engine/engine.js';
import { deleteLegalHold, getLegalHold, listLegalHolds, putLegalHold } from '../../engine/governance/legal-holds.js';
import { defineRoute } from '../../http/route.js';
import { toNextCursor } from '../../http/wire-schemas.js';
import { Hold, HoldList, holdBody, holdListQuery, holdParams, tenantOnlyParams } from './erasure-schemas.js';
import { toHold } from './to-erasure.js';

const path = '/v1/tenants/{tenant_id}/legal-holds/{name}';

export const legalHoldRoutes = [
  defineRoute({
    operation: 'legalHolds.put',
    method: 'PUT',
    path,
    summary: 'Set a legal hold on some or all users of a tenant. Their data cannot be erased and does not expire.',
    access: 'admin',
    tenantWide: true,
    request: { params: holdParams, body: holdBody },
    responses: {
      200: { description: 'The existing hold, replaced or unchanged', schema: Hold },
      201: { description: 'The new hold', schema: Hold },
    },
    problems: ['CONFLICT'],
    async handle(engine: Engine, { caller, params, body }) {
      const { hold, isNew } = await putLegalHold(engine, caller, {
        name: params.name,
        userIds: body.user_ids ?? null,
        reason: body.reason,
      });
      return { status: isNew ? 201 : 200, body: toHold(hold) };
    },
  }),
  defineRoute({
    operation: 'legalHolds.get',
    method: 'GET',
    path,
    summary: 'Read a legal hold.',
    access: 'admin',
    tenantWide: true,
    request: { params: holdParams },
    responses: { 200: { description: 'The hold', schema: Hold } },
    problems: ['NOT_FOUND'],
    async handle(engine: Engine, { caller, params }) {
      const hold = await getLegalHold(engine, caller, params.name);
      if (hold === undefined) throw noSuchHold(params.name);
      return { body: toHold(hold) };
    },
  }),
  defineRoute({
    operation: 'legalHolds.delete',
    method: 'DELETE',
    path,
    summary: 'Lift a legal hold.',
    access: 'admin',
    tenantWide: true,
    request: { params: holdParams },
    responses: { 204: { description: 'Lifted' } },
    problems: ['NOT_FOUND'],
    async handle(engine: Engine, { caller, params }) {
      if (!(await deleteLegalHold(engine, caller, params.name))) throw noSuchHold(params.name);
      return {};
    },
  }),
  defineRoute({
    operation: 'legalHolds.list',
    method: 'GET',
    path: '/v1/tenants/{tenant_id}/legal-holds',
    summary: 'List the legal holds of a tenant.',
    access: 'admin',
    tenantWide: true,
    request: { params: tenantOnlyParams, query: holdListQuery },
    responses: { 200: { description: 'Ordered by name', schema: HoldList } },
    async handle(engine: Engine, { caller, query }) {
      const { items, nextCursor } = await listLegalHolds(engine, caller, query);
      return {
        body: { legal_holds: items.map(toHold), ...toNextCursor(nextCursor) },
      };
    },
  }),
];

function noSuchHold(name: string): Problem {
  return new Problem('NOT_FOUND', `The legal hold ${name} does not exist.`);
}
