import type { Engine } from '../../engine/engine.js';
import { revertSource } from '../../engine/sources/revert-source.js';
import { listReverts, undoRevert } from '../../engine/sources/undo-revert.js';
import { toMoment } from '../../http/moment.js';
import { defineRoute } from '../../http/route.js';
import { toNextCursor } from '../../http/wire-schemas.js';
import {
  Reverted,
  revertBody,
  revertListQuery,
  revertParams,
  SourceRevertList,
  tenantParams,
  Undone,
} from './source-schemas.js';
import { toSourceRevert } from './to-source-revert.js';

export const sourceRoutes = [
  defineRoute({
    operation: 'sources.revert',
    method: 'POST',
    path: '/v1/tenants/{tenant_id}/sources:revert',
    summary: 'Take back everything that a source wrote or caused: memories, facts and patches of documents.',
    description:
      'What the source had superseded is current again. Facts with other evidence stay. Patches that can no longer be taken back cleanly become unresolved patches. It can be undone for 30 days.',
    access: 'admin',
    tenantWide: true,
    request: { params: tenantParams, body: revertBody },
    responses: { 200: { description: 'What was, or would be, taken back', schema: Reverted } },
    problems: ['LEGAL_HOLD'],
    async handle(engine: Engine, { caller, body }) {
      const { author, surface, namespace, resource_id: resourceId, from, to } = body.filter;
      const filter = {
        ...{ author, surface, namespace, resourceId },
        ...{ from: toMoment('from', from), to: toMoment('to', to) },
      };
      const { revertId, counts } = await revertSource(engine, caller, filter, body.dry_run);
      return { body: { revert_id: revertId, dry_run: body.dry_run, counts } };
    },
  }),
  defineRoute({
    operation: 'sources.list',
    method: 'GET',
    path: '/v1/tenants/{tenant_id}/source-reverts',
    summary: 'List what was taken back and can be restored, newest first.',
    access: 'admin',
    tenantWide: true,
    request: { params: tenantParams, query: revertListQuery },
    responses: { 200: { description: 'One page', schema: SourceRevertList } },
    async handle(engine: Engine, { caller, query }) {
      const { items, nextCursor } = await listReverts(engine, caller, query);
      return { body: { reverts: items.map(toSourceRevert), ...toNextCursor(nextCursor) } };
    },
  }),
  defineRoute({
    operation: 'sources.undo',
    method: 'POST',
    path: '/v1/tenants/{tenant_id}/source-reverts/{revert_id}:undo',
    summary: 'Restore what was taken back from a source.',
    description: 'What was stored again meanwhile is left as it is.',
    access: 'admin',
    tenantWide: true,
    request: { params: revertParams },
    responses: { 200: { description: 'What was restored', schema: Undone } },
    problems: ['NOT_FOUND', 'LEGAL_HOLD'],
    async handle(engine: Engine, { caller, params }) {
      return { body: { counts: await undoRevert(engine, caller, params.revert_id) } };
    },
  }),
];
