import { Type } from 'typebox';
import { listTenantHeads } from '../../engine/audit/list-heads.js';
import { proveConsistency, proveRecord } from '../../engine/audit/prove-audit.js';
import { defineRoute } from '../../http/route.js';
import { Id, nextCursor, pageQuery, toNextCursor } from '../../http/wire-schemas.js';
import { workspaceOwner } from '../../ports/owners.js';
import type { AdminServices } from './admin-services.js';

const hash = Type.String({ description: 'SHA-256, hexadecimal' });
const size = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

const SignedHead = Type.Object(
  {
    tenant: Type.String(),
    log: Type.String({ description: 'Id of the log' }),
    size: Type.Integer({ description: 'Number of audit records that the log covers' }),
    root: Type.String({ description: 'Root of the Merkle tree over these records (RFC 6962), hexadecimal' }),
    at: Type.String(),
    key: Type.String({ description: 'Ed25519 public key, in base64' }),
    signature: Type.String({ description: 'In base64' }),
  },
  { title: 'SignedHead' },
);

const SignedHeads = Type.Object(
  { heads: Type.Array(SignedHead, { description: 'Of the open log, oldest first' }), next_cursor: nextCursor },
  { title: 'SignedHeads' },
);

const RecordProof = Type.Object(
  {
    head: SignedHead,
    position: Type.Integer({ description: 'Of the record in the log' }),
    path: Type.Array(hash, { description: 'Hashes that lead from the record to the root' }),
    chain: Type.String({ description: 'Id of the chain of the record in the log' }),
    seq: Type.Integer(),
    previous: Type.String({ description: 'Hash of the record before it in its chain' }),
    record: Type.String({ description: 'The record, byte for byte as it was hashed' }),
  },
  { title: 'RecordProof' },
);

const ConsistencyProof = Type.Object(
  { first: SignedHead, second: SignedHead, path: Type.Array(hash) },
  { title: 'ConsistencyProof' },
);

export const auditProofRoutes = [
  defineRoute({
    operation: 'audit.heads',
    method: 'GET',
    path: '/admin/audit/heads',
    summary: "List the signed heads of the tenant's audit log.",
    access: 'admin',
    tenantWide: true,
    request: { query: Type.Object(pageQuery, { additionalProperties: false }) },
    responses: { 200: { description: 'One page of signed heads', schema: SignedHeads } },
    async handle({ engine }: AdminServices, { caller, query }) {
      const { items, nextCursor } = await listTenantHeads(engine, caller.tenantId, query);
      return { body: { heads: items, ...toNextCursor(nextCursor) } };
    },
  }),
  defineRoute({
    operation: 'audit.prove',
    method: 'GET',
    path: '/admin/audit/proof',
    summary: 'Prove that an audit record of a user or workspace is in the signed log.',
    description:
      "Without `user_id` and `workspace_id`, the record is one of the tenant's own. `findProofFault` of @memhall/core checks the proof without a database.",
    access: 'admin',
    tenantWide: true,
    request: {
      query: Type.Object(
        {
          user_id: Type.Optional(Id),
          workspace_id: Type.Optional(Id),
          seq: Type.Integer({ ...size, description: 'Number of the record, as the list of audit records shows it' }),
        },
        { additionalProperties: false },
      ),
    },
    responses: { 200: { description: 'The proof', schema: RecordProof } },
    problems: ['NOT_FOUND', 'CONFLICT'],
    async handle({ engine }: AdminServices, { caller, query }) {
      const { user_id: user = '', workspace_id: workspace, seq } = query;
      const userId = workspace === undefined ? user : workspaceOwner(workspace);
      return { body: await proveRecord(engine, caller.tenantId, { userId, seq }) };
    },
  }),
  defineRoute({
    operation: 'audit.proveConsistency',
    method: 'GET',
    path: '/admin/audit/consistency',
    summary: 'Prove that a later signed head contains everything under an earlier one.',
    description: '`findConsistencyFault` of @memhall/core checks the proof without a database.',
    access: 'admin',
    tenantWide: true,
    request: {
      query: Type.Object(
        {
          from: Type.Integer({ ...size, description: 'Size of the earlier head' }),
          to: Type.Optional(Type.Integer({ ...size, description: 'Size of the later head. Absent: the latest' })),
        },
        { additionalProperties: false },
      ),
    },
    responses: { 200: { description: 'The proof', schema: ConsistencyProof } },
    problems: ['NOT_FOUND', 'CONFLICT'],
    async handle({ engine }: AdminServices, { caller, query }) {
      const sizes = { first: query.from, second: query.to };
      return { body: await proveConsistency(engine, caller.tenantId, sizes) };
    },
  }),
];
