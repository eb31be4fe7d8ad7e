import { fromTierLabel } from '@memhall/core';
import type { Answer, TestServer } from './server.js';

export interface ProviderClient {
  retain(body: object): Promise<Answer>;
  read(body: object): Promise<Answer>;
  recall(body: object): Promise<Answer>;
  forget(body: object): Promise<Answer>;
  /** Writes lines to a tier without the provider, as any writer of documents can. */
  patch(path: string, lines: readonly string[], condition?: Record<string, string>): Promise<Answer>;
}

export interface ProviderScope {
  tenant?: string;
  workspace: string;
  agent?: string;
  crew?: string;
  roles?: string[];
  /** Who writes; default: somebody named after the workspace. */
  user?: string;
}

/** Calls the provider routes for one workspace, agent and crew. A body can name others. */
export function providerClient(server: () => TestServer, scope: ProviderScope): ProviderClient {
  const { tenant = 't1', workspace, agent, crew, roles = [], user = `user-of-${workspace}` } = scope;
  const named = {
    workspace_id: workspace,
    ...(agent === undefined ? {} : { agent_id: agent }),
    ...(crew === undefined ? {} : { crew_id: crew }),
  };
  const tokenOf = (more: string[] = roles) =>
    server().token({ tenant, user, roles: more, claims: { workspace_id: workspace } });
  const post = (verb: string) => async (body: object) =>
    server().call({
      method: 'POST',
      path: `/v1/provider/${verb}`,
      body: { ...named, ...body },
      token: await tokenOf(),
    });
  return {
    retain: post('retain'),
    read: post('read'),
    recall: post('recall'),
    forget: post('forget'),
    patch: async (path, lines, condition = { 'if-none-match': '*' }) => {
      const tier = fromTierLabel(path.slice(path.indexOf('/') + 1))?.tier;
      return server().call({
        method: 'PATCH',
        path: `/v1/tenants/${tenant}/users/${workspace}/documents/provider/${encodeURIComponent(path)}`,
        body: {
          profile_id: 'provider-tiers-v1',
          binding_id: tier,
          reason: 'live_update',
          ops: [{ op: 'replace', path: '/content/lines', value: lines }],
        },
        headers: { ...condition, 'idempotency-key': crypto.randomUUID() },
        token: await tokenOf(['service']),
      });
    },
  };
}
