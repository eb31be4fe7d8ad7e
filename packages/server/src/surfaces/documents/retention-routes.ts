import type { Static } from 'typebox';
import type { Engine } from '../../engine/engine.js';
import { applyRetention } from '../../engine/governance/apply-retention.js';
import { previewRetention } from '../../engine/governance/preview-retention.js';
import { getRetentionCeilings, putRetentionCeilings } from '../../engine/governance/retention-ceilings.js';
import { toMoment } from '../../http/moment.js';
import { defineRoute } from '../../http/route.js';
import { userOnlyParams } from './document-schemas.js';
import { Ceilings, ceilingsBody, RetentionAnswer, retentionBody, tenantOnlyParams } from './erasure-schemas.js';
import { fromCeilings, toCeilings, toRetentionAnswer } from './to-erasure.js';

const ceilingsPath = '/v1/tenants/{tenant_id}/retention-ceilings';

export const retentionRoutes = [
  defineRoute({
    operation: 'retention.apply',
    method: 'POST',
    path: '/v1/tenants/{tenant_id}/users/{user_id}/retention:apply',
    summary: 'Delete data of a user that is older than the profile and the retention ceilings allow.',
    access: 'admin',
    request: { params: userOnlyParams, body: retentionBody },
    responses: { 200: { description: 'What was deleted', schema: RetentionAnswer } },
    problems: ['PROFILE_NOT_FOUND'],
    async handle(engine: Engine, { caller, body }) {
      return { body: toRetentionAnswer(await applyRetention(engine, caller, toInput(body))) };
    },
  }),
  defineRoute({
    operation: 'retention.preview',
    method: 'POST',
    path: '/v1/tenants/{tenant_id}/users/{user_id}/retention:preview',
    summary: 'Say what applying retention to a user would delete. Deletes nothing.',
    access: 'admin',
    request: { params: userOnlyParams, body: retentionBody },
    responses: { 200: { description: 'What would be deleted now', schema: RetentionAnswer } },
    problems: ['PROFILE_NOT_FOUND'],
    async handle(engine: Engine, { caller, body }) {
      return { body: toRetentionAnswer(await previewRetention(engine, caller, toInput(body))) };
    },
  }),
  defineRoute({
    operation: 'retentionCeilings.put',
    method: 'PUT',
    path: ceilingsPath,
    summary: 'Set the retention ceilings of a tenant, which limit the retention rules of its profiles.',
    access: 'admin',
    tenantWide: true,
    request: { params: tenantOnlyParams, body: ceilingsBody },
    responses: { 200: { description: 'The ceilings', schema: Ceilings } },
    async handle(engine: Engine, { caller, body }) {
      return { body: toCeilings(await putRetentionCeilings(engine, caller, fromCeilings(body))) };
    },
  }),
  defineRoute({
    operation: 'retentionCeilings.get',
    method: 'GET',
    path: ceilingsPath,
    summary: 'Read the retention ceilings of a tenant.',
    access: 'admin',
    tenantWide: true,
    request: { params: tenantOnlyParams },
    responses: { 200: { description: 'The ceilings', schema: Ceilings } },
    async handle(engine: Engine, { caller }) {
      return { body: toCeilings(await getRetentionCeilings(engine, caller)) };
    },
  }),
];

function toInput({ profile_id: profileId, as_of: asOf }: Static<typeof retentionBody>) {
  return { profileId, asOf: toMoment('as_of', asOf ?? undefined) };
}
