import type { ProblemCode } from '@memhall/core';
import { Type } from 'typebox';
import { applyUnresolved, discardUnresolved, listUnresolved } from '../../engine/conversations/unresolved.js';
import { deciderOf, listUnresolvedQueue } from '../../engine/conversations/unresolved-queue.js';
import type { Engine } from '../../engine/engine.js';
import type { Page } from '../../engine/page.js';
import { defineRoute } from '../../http/route.js';
import { Id, nextCursor, pageQuery, toNextCursor } from '../../http/wire-schemas.js';
import type { UnresolvedPatch } from '../../ports/unresolved-patches.js';
import { userOnlyParams, WriteAnswer } from './document-schemas.js';
import { tenantOnlyParams } from './erasure-schemas.js';
import { tenantParams, userParams } from './shared-schemas.js';
import { toWriteReply } from './to-document.js';
import { toUnresolvedPatch } from './to-unresolved-patch.js';
import { Status, unresolvedPatch } from './unresolved-schemas.js';

const prefix = '/v1/tenants/{tenant_id}/users/{user_id}';
const queue = '/v1/tenants/{tenant_id}/unresolved-patches';
const closed = { additionalProperties: false };

const UnresolvedAnswer = Type.Object(unresolvedPatch, { title: 'UnresolvedPatch' });
const PatchList = Type.Object({ patches: Type.Array(UnresolvedAnswer), next_cursor: nextCursor });
const patchParams = Type.Object({ ...userParams, patch_id: Id });
const queuedParams = Type.Object({ ...tenantParams, patch_id: Id });
const applyProblems: ProblemCode[] = [
  'NOT_FOUND',
  'ETAG_MISMATCH',
  'SCHEMA_VALIDATION_FAILED',
  'ARRAY_LIMIT_EXCEEDED',
  'DOCUMENT_SIZE_EXCEEDED',
];

export const unresolvedRoutes = [
  defineRoute({
    operation: 'unresolved.list',
    method: 'GET',
    path: `${prefix}/unresolved-patches`,
    summary: 'List patches that replays could not apply.',
    access: 'user',
    request: { params: userOnlyParams, query: Type.Object(pageQuery, closed) },
    responses: { 200: { description: 'Oldest first', schema: PatchList } },
    async handle(engine: Engine, { caller, query }) {
      return { body: toPatchList(await listUnresolved(engine, caller, query)) };
    },
  }),
  defineRoute({
    operation: 'unresolved.apply',
    method: 'POST',
    path: `${prefix}/unresolved-patches/{patch_id}:apply`,
    summary: 'Apply an unresolved patch to the current version of the document.',
    access: 'user',
    request: { params: patchParams },
    responses: { 200: { description: 'The document after the change', schema: WriteAnswer } },
    problems: applyProblems,
    async handle(engine: Engine, { caller, params }) {
      return toWriteReply(await applyUnresolved(engine, caller, params.patch_id));
    },
  }),
  defineRoute({
    operation: 'unresolved.discard',
    method: 'POST',
    path: `${prefix}/unresolved-patches/{patch_id}:discard`,
    summary: 'Discard an unresolved patch.',
    access: 'user',
    request: { params: patchParams },
    responses: { 204: { description: 'Discarded' } },
    problems: ['NOT_FOUND'],
    async handle(engine: Engine, { caller, params }) {
      await discardUnresolved(engine, caller, params.patch_id);
      return {};
    },
  }),
  defineRoute({
    operation: 'unresolvedQueue.list',
    method: 'GET',
    path: queue,
    summary: 'List patches that replays could not apply, of all users of a tenant.',
    access: 'admin',
    tenantWide: true,
    request: { params: tenantOnlyParams, query: Type.Object({ ...pageQuery, status: Type.Optional(Status) }, closed) },
    responses: { 200: { description: 'Oldest first', schema: PatchList } },
    async handle(engine: Engine, { caller, query }) {
      return { body: toPatchList(await listUnresolvedQueue(engine, caller.tenantId, query)) };
    },
  }),
  defineRoute({
    operation: 'unresolvedQueue.apply',
    method: 'POST',
    path: `${queue}/{patch_id}:apply`,
    summary: 'Apply an unresolved patch of any user to the current version of the document.',
    access: 'admin',
    tenantWide: true,
    request: { params: queuedParams },
    responses: { 200: { description: 'The document after the change', schema: WriteAnswer } },
    problems: applyProblems,
    async handle(engine: Engine, { caller, params }) {
      const decider = await deciderOf(engine, caller, params.patch_id);
      return toWriteReply(await applyUnresolved(engine, decider, params.patch_id));
    },
  }),
  defineRoute({
    operation: 'unresolvedQueue.discard',
    method: 'POST',
    path: `${queue}/{patch_id}:discard`,
    summary: 'Discard an unresolved patch of any user.',
    access: 'admin',
    tenantWide: true,
    request: { params: queuedParams },
    responses: { 204: { description: 'Discarded' } },
    problems: ['NOT_FOUND'],
    async handle(engine: Engine, { caller, params }) {
      await discardUnresolved(engine, await deciderOf(engine, caller, params.patch_id), params.patch_id);
      return {};
    },
  }),
];

function toPatchList({ items, nextCursor }: Page<UnresolvedPatch>) {
  return { patches: items.map(toUnresolvedPatch), ...toNextCursor(nextCursor) };
}
