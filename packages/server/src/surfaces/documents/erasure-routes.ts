import { Problem } from '@memhall/core';
import type { Engine } from '../../engine/engine.js';
import { checkReceipt } from '../../engine/governance/check-receipt.js';
import { eraseTenant } from '../../engine/governance/erase-tenant.js';
import { forgetUser } from '../../engine/governance/forget-user.js';
import { defineRoute } from '../../http/route.js';
import { userOnlyParams } from './document-schemas.js';
import { CheckedReceipt, ErasureAnswer, receiptParams, tenantOnlyParams } from './erasure-schemas.js';
import { toCheckedReceipt, toErasureAnswer } from './to-erasure.js';

export const erasureRoutes = [
  defineRoute({
    operation: 'users.forget',
    method: 'DELETE',
    path: '/v1/tenants/{tenant_id}/users/{user_id}/memory',
    summary: 'Forget a user: remove all that is kept of it, with a receipt',
    access: 'admin',
    request: { params: userOnlyParams },
    responses: { 200: { description: 'All of it is gone', schema: ErasureAnswer } },
    problems: ['LEGAL_HOLD'],
    async handle(engine: Engine, { caller }) {
      return { body: toErasureAnswer(caller.tenantId, await forgetUser(engine, caller)) };
    },
  }),
  defineRoute({
    operation: 'tenants.erase',
    method: 'DELETE',
    path: '/v1/tenants/{tenant_id}',
    summary: 'Erase a tenant: all its users and all that is its own, with a receipt',
    description:
      'While it runs the tenant takes no writes. Interrupted, it stays so until the call is repeated, which finishes it.',
    access: 'admin',
    tenantWide: true,
    request: { params: tenantOnlyParams },
    responses: { 200: { description: 'All of it is gone', schema: ErasureAnswer } },
    problems: ['LEGAL_HOLD'],
    async handle(engine: Engine, { caller }) {
      return { body: toErasureAnswer(caller.tenantId, await eraseTenant(engine, caller)) };
    },
  }),
  defineRoute({
    operation: 'receipts.check',
    method: 'GET',
    path: '/v1/tenants/{tenant_id}/receipts/{receipt_id}',
    summary: 'Read the receipt of an erasure, and count again what is there',
    access: 'admin',
    tenantWide: true,
    request: { params: receiptParams },
    responses: { 200: { description: 'The receipt, and what is there now', schema: CheckedReceipt } },
    problems: ['NOT_FOUND'],
    async handle(engine: Engine, { caller, params }) {
      const checked = await checkReceipt(engine, caller, params.receipt_id);
      if (checked === undefined) throw new Problem('NOT_FOUND', `There is no receipt ${params.receipt_id}.`);
      return { body: toCheckedReceipt(caller.tenantId, checked) };
    },
  }),
];
