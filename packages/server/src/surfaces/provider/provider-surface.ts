import { Problem } from '@memhall/core';
import type { Caller } from '../../engine/caller.js';
import type { Engine } from '../../engine/engine.js';
import { forgetUser } from '../../engine/governance/forget-user.js';
import { sizeBytesOf } from '../../engine/text-lines.js';
import { inWorkspace } from '../../engine/tier-path.js';
import { checkTiers } from '../../engine/tiers/check-tiers.js';
import { forgetTier } from '../../engine/tiers/forget-tier.js';
import { readTier } from '../../engine/tiers/read-tier.js';
import { recallTiers } from '../../engine/tiers/recall-tiers.js';
import { retainTier } from '../../engine/tiers/retain-tier.js';
import { checkWorkspace } from '../../http/permission.js';
import { renderProblem } from '../../http/render-problem.js';
import { defineRoute, type RouteRequest } from '../../http/route.js';
import type { Surface } from '../../http/surface.js';
import {
  Forgotten,
  forgetBody,
  ProviderHealth,
  Retained,
  readBody,
  recallBody,
  retainBody,
  TierHits,
  TierText,
} from './provider-schemas.js';
import { quarantineRoutes } from './quarantine-routes.js';

interface ScopeFields {
  workspace_id: string;
  agent_id?: string;
  crew_id?: string;
}

export const providerSurface: Surface<Engine> = {
  name: 'provider',
  title: 'Provider',
  description: 'Notes of agents and crews, and texts in quarantine.',
  loadExamples: async () => (await import('./provider-examples.js')).providerExamples,
  routes: [
    defineRoute({
      operation: 'provider.retain',
      method: 'POST',
      path: '/v1/provider/retain',
      summary: 'Replace the text of a tier, or append to it.',
      access: 'user',
      tenantWide: true,
      request: { body: retainBody },
      responses: { 200: { description: 'Stored', schema: Retained } },
      problems: ['CONTENT_BLOCKED', 'TIER_CAP_EXCEEDED', 'DOCUMENT_SIZE_EXCEEDED'],
      async handle(engine: Engine, request) {
        const { tier, key, content, mode } = request.body;
        const input = { ...toOwners(request.body), tier, key, content, mode };
        const { label, sizeBytes, warning } = await retainTier(engine, workspaceOf(request, request.body), input);
        return { body: { id: label, bytes: sizeBytes, ...(warning === undefined ? {} : { warning }) } };
      },
    }),
    defineRoute({
      operation: 'provider.read',
      method: 'POST',
      path: '/v1/provider/read',
      summary: 'Read the whole text of a tier.',
      access: 'user',
      tenantWide: true,
      request: { body: readBody },
      responses: { 200: { description: 'The text, in a form that a model may read', schema: TierText } },
      async handle(engine: Engine, request) {
        const { tier, key } = request.body;
        const place = { ...toOwners(request.body), tier, key };
        const { label, text } = await readTier(engine, workspaceOf(request, request.body), place);
        return { body: { id: label, content: text, bytes: sizeBytesOf(text) } };
      },
    }),
    defineRoute({
      operation: 'provider.recall',
      method: 'POST',
      path: '/v1/provider/recall',
      summary: 'Search the texts of the tiers.',
      access: 'user',
      tenantWide: true,
      request: { body: recallBody },
      responses: { 200: { description: 'Best match first', schema: TierHits } },
      async handle(engine: Engine, request) {
        const { tier, query, limit } = request.body;
        const input = { ...toOwners(request.body), tier, query, limit };
        const { hits, quarantined } = await recallTiers(engine, workspaceOf(request, request.body), input);
        return { body: { hits: hits.map(({ label: source, ...hit }) => ({ source, ...hit })), quarantined } };
      },
    }),
    defineRoute({
      operation: 'provider.forget',
      method: 'POST',
      path: '/v1/provider/forget',
      summary: 'Delete the text of a tier, or erase all data of a user.',
      access: 'user',
      tenantWide: true,
      request: { body: forgetBody },
      responses: { 200: { description: 'What was removed', schema: Forgotten } },
      problems: ['LEGAL_HOLD'],
      async handle(engine: Engine, request) {
        const caller = workspaceOf(request, request.body);
        const { id, data_subject_id: subject } = request.body;
        if ((id === undefined) === (subject === undefined)) {
          throw new Problem('INVALID_REQUEST', 'Give exactly one of id and data_subject_id.');
        }
        if (subject !== undefined) return { body: await forgetSubject(engine, { ...caller, userId: subject }) };
        const isRemoved = await forgetTier(engine, caller, { ...toOwners(request.body), label: id ?? '' });
        return { body: { removed: isRemoved ? 1 : 0 } };
      },
    }),
    defineRoute({
      operation: 'provider.health',
      method: 'GET',
      path: '/v1/provider/health',
      summary: 'Check whether tiers can be read and written now. The status is always 200.',
      access: 'open',
      request: {},
      responses: { 200: { description: 'Returned within a second', schema: ProviderHealth } },
      async handle(engine: Engine) {
        const { fault, checkedAt } = await checkTiers(engine);
        const message = fault === undefined ? {} : { message: fault };
        return { body: { ok: fault === undefined, ...message, checked_at: checkedAt.toISOString() } };
      },
    }),
    ...quarantineRoutes,
  ],
  renderProblem,
};

function toOwners({ agent_id: agentId, crew_id: crewId }: ScopeFields) {
  return { agentId, crewId };
}

/** Makes the workspace the owner of the documents and memories. Throws FORBIDDEN if the token may not use it. */
function workspaceOf({ caller, identity }: RouteRequest, { workspace_id: workspaceId }: ScopeFields): Caller {
  if (identity === undefined) throw new Error('a guarded route without an identity');
  checkWorkspace(identity, workspaceId);
  return inWorkspace(caller, workspaceId);
}

async function forgetSubject(engine: Engine, caller: Caller) {
  if (!caller.actor.roles.includes('admin')) {
    throw new Problem('FORBIDDEN', 'Erasing a user requires a token with the role admin.');
  }
  const { id, counts } = await forgetUser(engine, caller);
  return { removed: Object.values(counts).reduce((sum, count) => sum + count, 0), receipt_id: id };
}
