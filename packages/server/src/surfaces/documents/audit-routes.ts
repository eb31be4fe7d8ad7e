import { type Static, Type } from 'typebox';
import { listAudit } from '../../engine/audit/list-audit.js';
import { verifyUserAudit } from '../../engine/audit/verify-audit.js';
import type { Caller } from '../../engine/caller.js';
import type { Engine } from '../../engine/engine.js';
import { inWorkspace } from '../../engine/tier-path.js';
import { toMoment } from '../../http/moment.js';
import { checkWorkspace } from '../../http/permission.js';
import { defineRoute } from '../../http/route.js';
import { Moment, nextCursor, pageQuery, toNextCursor } from '../../http/wire-schemas.js';
import { tenantOnlyParams, userOnlyParams, workspaceParams } from './document-schemas.js';

const auditQuery = Type.Object(
  {
    ...pageQuery,
    target: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1024,
        description: 'The changed object, such as documents/user/user_dynamic.json',
      }),
    ),
    operation: Type.Optional(
      Type.String({ minLength: 1, maxLength: 128, description: 'Name of the operation, such as memory.forget' }),
    ),
    author: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description: 'The caller: the user of the token, or the service if it has no user',
      }),
    ),
    from: Type.Optional(Moment),
    to: Type.Optional(Moment),
  },
  { additionalProperties: false },
);

const AuditRecords = Type.Object(
  {
    records: Type.Array(
      Type.Intersect([
        Type.Object({
          seq: Type.Integer(),
          hash: Type.String({ description: 'SHA-256 of the chain up to and including this record' }),
        }),
        Type.Record(Type.String(), Type.Unknown()),
      ]),
      { description: 'Newest first' },
    ),
    next_cursor: nextCursor,
  },
  { title: 'AuditRecords' },
);

const VerifiedChain = Type.Object(
  {
    verified: Type.Boolean({ description: 'Whether no record was altered, removed or moved' }),
    records: Type.Integer({ description: 'How many were checked' }),
    fault: Type.Optional(
      Type.Object(
        { seq: Type.String(), kind: Type.Enum(['missing', 'altered', 'head', 'cut']) },
        { description: 'The first one' },
      ),
    ),
  },
  { title: 'VerifiedChain' },
);

export const auditRoutes = [
  defineRoute({
    operation: 'audit.verify',
    method: 'GET',
    path: '/v1/tenants/{tenant_id}/users/{user_id}/audit:verify',
    summary: 'Recompute the hash chain of the audit records of a user.',
    description: '`memhall audit verify` also compares all chains with the signed heads.',
    access: 'user',
    request: { params: userOnlyParams },
    responses: { 200: { description: 'Whether the chain is intact', schema: VerifiedChain } },
    async handle(engine: Engine, { caller }) {
      const { records, fault } = await verifyUserAudit(engine.store, caller);
      const found = fault === undefined ? {} : { fault: { seq: String(fault.seq), kind: fault.kind } };
      return { body: { verified: fault === undefined, records: Number(records), ...found } };
    },
  }),
  defineRoute({
    operation: 'audit.list',
    method: 'GET',
    path: '/v1/tenants/{tenant_id}/users/{user_id}/audit',
    summary: 'List the audit records of a user: what changed, who changed it, when and why.',
    access: 'user',
    request: { params: userOnlyParams, query: auditQuery },
    responses: { 200: { description: 'One page of audit records', schema: AuditRecords } },
    handle: (engine: Engine, { caller, query }) => list(engine, caller, query),
  }),
  defineRoute({
    operation: 'tenants.audit',
    method: 'GET',
    path: '/v1/tenants/{tenant_id}/audit',
    summary: 'List the audit records of a tenant itself: its profiles, schemas, holds, revocations and retried jobs.',
    access: 'admin',
    tenantWide: true,
    request: { params: tenantOnlyParams, query: auditQuery },
    responses: { 200: { description: 'One page of audit records', schema: AuditRecords } },
    handle: (engine: Engine, { caller, query }) => list(engine, caller, query),
  }),
  defineRoute({
    operation: 'workspaces.audit',
    method: 'GET',
    path: '/v1/tenants/{tenant_id}/workspaces/{workspace_id}/audit',
    summary: 'List the audit records of the notes of a workspace.',
    access: 'user',
    request: { params: workspaceParams, query: auditQuery },
    responses: { 200: { description: 'One page of audit records', schema: AuditRecords } },
    handle(engine: Engine, { caller, identity, params, query }) {
      if (identity !== undefined) checkWorkspace(identity, params.workspace_id);
      return list(engine, inWorkspace(caller, params.workspace_id), query);
    },
  }),
];

async function list(engine: Engine, owner: Caller, query: Static<typeof auditQuery>) {
  const to = toMoment('to', query.to);
  const { target, operation, author } = query;
  const { items, nextCursor } = await listAudit(engine, owner, {
    ...{ target, operation, author },
    from: toMoment('from', query.from),
    to: to && new Date(to.getTime() + 1),
    limit: query.limit,
    cursor: query.cursor,
  });
  const records = items.map(({ seq, hash, record }) => ({
    seq: Number(seq),
    hash: hash.toString('hex'),
    ...JSON.parse(record),
  }));
  return { body: { records, ...toNextCursor(nextCursor) } };
}
