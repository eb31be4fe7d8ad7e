import { idPattern } from '@memhall/core';
import { Type } from 'typebox';
import type { Engine } from '../../engine/engine.js';
import { listOwners } from '../../engine/operations/list-owners.js';
import { defineRoute } from '../../http/route.js';
import { nextCursor, pageQuery, Timestamp, toNextCursor } from '../../http/wire-schemas.js';
import type { ChainOwner } from '../../ports/audit-log.js';
import { workspaceOf } from '../../ports/owners.js';
import { tenantParams } from './token-revocation-schemas.js';

const nullable = Type.Union([Type.String(), Type.Null()]);

const OwnerList = Type.Object(
  {
    owners: Type.Array(
      Type.Object(
        {
          user_id: nullable,
          workspace_id: nullable,
          changes: Type.Integer({ description: 'Audit records' }),
          last_change_at: Type.Union([Timestamp, Type.Null()], { description: 'null: retention removed the record' }),
        },
        { title: 'Owner', description: 'A user, or a workspace that agents share: one of the two ids is null' },
      ),
    ),
    next_cursor: nextCursor,
  },
  { title: 'OwnerList' },
);

const listQuery = Type.Object(
  {
    ...pageQuery,
    prefix: Type.Optional(
      Type.String({ pattern: idPattern, description: 'List only users whose id begins with this' }),
    ),
  },
  { additionalProperties: false },
);

export const ownerRoutes = [
  defineRoute({
    operation: 'owners.list',
    method: 'GET',
    path: '/v1/tenants/{tenant_id}/owners',
    summary: 'List the users of a tenant, and the workspaces that agents share, by id.',
    description: 'Lists all that ever had something changed, also if it was erased since.',
    access: 'admin',
    tenantWide: true,
    request: { params: tenantParams, query: listQuery },
    responses: { 200: { description: 'Users and workspaces by id', schema: OwnerList } },
    async handle({ engine }: { engine: Engine }, { caller, query }) {
      const { items, nextCursor: next } = await listOwners(engine, caller.tenantId, query);
      return { body: { owners: items.map(toOwner), ...toNextCursor(next) } };
    },
  }),
];

function toOwner({ userId, changes, lastAt }: ChainOwner) {
  const workspaceId = workspaceOf(userId) ?? null;
  return {
    user_id: workspaceId === null ? userId : null,
    workspace_id: workspaceId,
    changes,
    last_change_at: lastAt?.toISOString() ?? null,
  };
}
