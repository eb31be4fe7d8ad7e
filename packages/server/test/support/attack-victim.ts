import { expect } from 'vitest';
import type { Names } from './attack-requests.js';
import { add } from './documents.js';
import type { Call, TestServer } from './server.js';

export interface Victim {
  /** A word that is in all of the victim's texts and in none of its ids. */
  canary: string;
  /** Ids of the victim's data, by the names that routes have for them. */
  names: Record<string, unknown[]>;
  userKey: string;
}

/** Stores data of one user through every surface. */
export async function createVictim(server: TestServer, tenant: string, user: string): Promise<Victim> {
  const canary = `canary${Math.random().toString(36).slice(2)}`;
  const text = `The word ${canary} is a secret of this user.`;
  const own = await server.token({ tenant, user });
  const admin = await server.token({ tenant, user: 'boss', roles: ['admin'] });
  const names: Record<string, unknown[]> = {
    ...{
      tenant_id: [tenant],
      user_id: [user],
      workspace_id: [user],
      agent_id: ['their-agent'],
      crew_id: ['their-crew'],
    },
    ...{ plan_id: ['their-plan'], key: ['their-key'], session_id: ['their-session'], task_id: ['their-task'] },
    ...{
      subtask_id: ['their-part'],
      sub_task_id: ['their-part'],
      correlation_id: ['their-run'],
      external_id: ['their-id'],
    },
    ...{ conversation_id: ['their-talk'], profile_id: ['project-copilot-v1'], binding_id: ['user_dynamic'] },
    ...{
      namespace: [`workspace:${user}`, 'user'],
      op: ['add'],
      path: ['user_dynamic.json'],
      schema_id: ['user_dynamic'],
      version: ['1.0.0'],
    },
    ...{
      name: [`workspace:${user}`, 'their-hold', 'their-hook'],
      query: [canary],
      q: [canary],
      hint: [canary],
      tier: ['lessons'],
    },
    ...{ patch_id: [crypto.randomUUID()], queries: [canary], subject: ['their-subject'], attribute: ['likes'] },
    ...{ alias: ['their-alias'], with: ['their-alias'] },
  };
  const prefix = `/v1/tenants/${tenant}/users/${user}`;
  const memory = (path: string, body: object): Call => ({ method: 'POST', path: `/v1/memory/${path}`, body });
  const send = async (call: Call, token = own) => {
    const answer = await server.call({ token, ...call });
    expect([call.path, answer.status < 300 ? 200 : answer]).toEqual([call.path, 200]);
    collect(answer.body, names);
    return answer.body;
  };
  const patch = (document: string, body: object): Call => ({
    method: 'PATCH',
    path: `${prefix}/documents/${document}`,
    headers: { 'if-match': '*', 'idempotency-key': crypto.randomUUID() },
    body: { reason: 'live_update', ...body },
  });
  const profile = { profile_id: 'project-copilot-v1', binding_id: 'user_dynamic' };
  await send(patch('user/user_dynamic.json', { ...profile, ops: [add('/preferences', [text])] }));
  await send({ method: 'POST', path: `${prefix}/events`, body: { event: { digest: text, keywords: [canary] } } });
  const messages = [{ id: 'm1', role: 'user', content: text }];
  const conversation = { profile_id: 'project-copilot-v1', messages };
  await send({ method: 'POST', path: `${prefix}/conversations/their-talk/snapshots`, body: conversation });
  const place = { session_id: 'their-session', agent_id: 'their-agent' };
  await send(memory('semantic', { content: text, external_id: 'their-id', session_id: 'their-session' }));
  await send(memory('episodic', { ...place, role: 'user', content: text }));
  await send(memory('procedural', { agent_id: 'their-agent', procedure_type: 'skill', content: text }));
  const fact = { subject: 'their-subject', attribute: 'likes', value: text };
  names.fact_id = [(await send({ method: 'PUT', path: '/v1/facts', body: fact })).fact.id];
  await send({ method: 'POST', path: '/v1/subjects/their-subject:merge', body: { with: 'their-alias' } });
  await send({ method: 'PUT', path: '/v1/memory/working/their-plan/their-key', body: { value: text } });
  await send(
    memory('task-context', { task_id: 'their-task', event_type: 'e', data: { text }, sub_tasks: ['their-part'] }),
  );
  const plan = { plan_id: 'their-plan', goal_event: 'e', goal_data: { text }, correlation_ids: ['their-run'] };
  await send(memory('plans', plan));
  await send(memory('sessions', { session_id: 'their-session', name: text }));
  const hold = { user_ids: ['someone'], reason: 'A court asked for it.' };
  await send({ method: 'PUT', path: `/v1/tenants/${tenant}/legal-holds/their-hold`, body: hold }, admin);
  const hook = { url: 'https://example.org/', events: ['users.forget'], secret: `Their ${canary}, a secret.` };
  await send({ method: 'PUT', path: `/v1/tenants/${tenant}/webhooks/their-hook`, body: hook }, admin);
  const gone = await send({ method: 'DELETE', path: `/v1/tenants/${tenant}/users/gone/memory` }, admin);
  names.receipt_id = [gone.receipt.id];
  const robot = await server.token({ tenant, user: 'their-robot', roles: ['service'] });
  await send({ method: 'POST', path: '/v1/remember', body: { content: text, user_id: user } }, robot);
  const source = { filter: { author: 'their-robot' }, dry_run: false };
  const reverted = await send({ method: 'POST', path: `/v1/tenants/${tenant}/sources:revert`, body: source }, admin);
  names.revert_id = [reverted.revert_id];
  const revoke: Call = {
    method: 'POST',
    path: `/v1/tenants/${tenant}/token-revocations`,
    body: { token_id: 'their-token' },
  };
  names.revocation_id = [(await send(revoke, admin)).id];
  const { user_key: userKey } = await send({ method: 'POST', path: '/users', body: { user_id: user } }, admin);
  const identity = { user_id: user, user_key: userKey };
  const chat = { ...identity, session_id: 'their-agent:their-session' };
  const message = { sender_id: user, role: 'user', timestamp: 1_700_000_000_000, content: text };
  await send({ method: 'POST', path: '/memories/add', body: { ...chat, messages: [message] } });
  delete names.user_key;
  for (const name of ['delivery_id', 'replay_id', 'quarantine_id', 'resource_id', 'memory_id'])
    names[name] ??= [crypto.randomUUID()];
  return { canary, names, userKey };
}

/** Adds the ids in a response to those that are known. */
function collect(body: unknown, names: Record<string, unknown[]>): void {
  if (Array.isArray(body)) for (const member of body) collect(member, names);
  else if (body !== null && typeof body === 'object') {
    for (const [name, value] of Object.entries(body)) {
      if (typeof value !== 'string') collect(value, names);
      else if (/(?:^|_)ids?$/.test(name) && !names[name]?.includes(value))
        names[name] = [...(names[name] ?? []), value];
    }
  }
}

/** Returns combinations of the values: the first of each, and every other one in its place. */
export function* combinations(values: Record<string, readonly unknown[]>): Generator<Names> {
  const first = Object.fromEntries(Object.entries(values).map(([name, [value]]) => [name, value]));
  yield first;
  for (const [name, [, ...others]] of Object.entries(values)) {
    for (const value of others) yield { ...first, [name]: value };
  }
}
