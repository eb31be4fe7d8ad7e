import { Problem } from '@memhall/core';
import type { Engine } from '../../engine/engine.js';
import { checkReceipt } from '../../engine/governance/check-receipt.js';
import { eraseTenant } from '../../engine/governance/erase-tenant.js';
import { forgetUser } from '../../engine/governance/forget-user.js';
import { previewForget } from '../../engine/governance/preview-forget.js';
import { inWorkspace } from '../../engine/tier-path.js';
import { defineRoute } from '../../http/route.js';
import { userOnlyParams, workspaceParams } from './document-schemas.js';
import { CheckedReceipt, ErasureAnswer, ForgetPreview, receiptParams, tenantOnlyParams } from './erasure-schemas.js';
import { toCheckedReceipt, toErasureAnswer } from './to-erasure.js';

export const erasureRoutes = [
  defineRoute({
    operation: 'users.forget',
    method: 'DELETE',
    path: '/v1/tenants/{tenant_id}/users/{user_id}/memory',
    summary: 'Erase all data of a user and issue a receipt.',
    access: 'admin',
    request: { params: userOnlyParams },
    responses: { 200: { description: 'Everything was erased', schema: ErasureAnswer } },
    problems: ['LEGAL_HOLD'],
    async handle(engine: Engine, { caller }) {
      return { body: toErasureAnswer(caller.tenantId, await forgetUser(engine, caller)) };
    },
  }),
  defineRoute({
    operation: 'users.previewForget',
    method: 'GET',
    path: '/v1/tenants/{tenant_id}/users/{user_id}/memory',
    summary: 'Say what erasing all data of a user would remove, and which legal holds forbid it.',
    access: 'admin',
    request: { params: userOnlyParams },
    responses: { 200: { description: 'What is stored now. Nothing is removed', schema: ForgetPreview } },
    async handle(engine: Engine, { caller }) {
      const { counts, legalHolds } = await previewForget(engine, caller);
      return { body: { counts, legal_holds: legalHolds } };
    },
  }),
  defineRoute({
    operation: 'workspaces.forget',
    method: 'DELETE',
    path: '/v1/tenants/{tenant_id}/workspaces/{workspace_id}/memory',
    summary: 'Erase all notes of a workspace, by any author, and issue a receipt.',
    access: 'admin',
    tenantWide: true,
    request: { params: workspaceParams },
    responses: { 200: { description: 'Everything was erased', schema: ErasureAnswer } },
    problems: ['LEGAL_HOLD'],
    async handle(engine: Engine, { caller, params }) {
      const receipt = await forgetUser(engine, inWorkspace(caller, params.workspace_id));
      return { body: toErasureAnswer(caller.tenantId, receipt) };
    },
  }),
  defineRoute({
    operation: 'tenants.erase',
    method: 'DELETE',
    path: '/v1/tenants/{tenant_id}',
    summary: 'Erase all data of a tenant, including all its users, and issue a receipt.',
    description:
      'While it runs, writes of the tenant are rejected. If it is interrupted, they stay rejected until the call is repeated, which finishes the erasure.',
    access: 'admin',
    tenantWide: true,
    request: { params: tenantOnlyParams },
    responses: { 200: { description: 'Everything was erased', schema: ErasureAnswer } },
    problems: ['LEGAL_HOLD'],
    async handle(engine: Engine, { caller }) {
      return { body: toErasureAnswer(caller.tenantId, await eraseTenant(engine, caller)) };
    },
  }),
  defineRoute({
    operation: 'receipts.check',
    method: 'GET',
    path: '/v1/tenants/{tenant_id}/receipts/{receipt_id}',
    summary: 'Read the receipt of an erasure, and check that the data is gone.',
    access: 'admin',
    tenantWide: true,
    request: { params: receiptParams },
    responses: { 200: { description: 'The receipt, and the data that exists now', schema: CheckedReceipt } },
    problems: ['NOT_FOUND'],
    async handle(engine: Engine, { caller, params }) {
      const checked = await checkReceipt(engine, caller, params.receipt_id);
      if (checked === undefined) throw new Problem('NOT_FOUND', `The receipt ${params.receipt_id} does not exist.`);
      return { body: toCheckedReceipt(caller.tenantId, checked) };
    },
  }),
];
