import { randomBytes, randomUUID } from 'node:crypto';
import type { Call } from './server.js';

/** Returns a word that occurs nowhere else. */
export function newMarker(): string {
  return `zq${randomBytes(8).toString('hex')}`;
}

/** Returns a call that stores a conversation with the marker, with a replay on request. */
export function conversationWrite(
  who: { tenant: string; user: string },
  marker: string,
  number: number,
  replay: boolean,
): Call {
  return {
    method: 'POST',
    path: `/v1/tenants/${who.tenant}/users/${who.user}/conversations/${marker}-${number}/snapshots`,
    body: {
      profile_id: 'project-copilot-v1',
      messages: [{ id: `${marker}-1`, role: 'user', content: `I prefer ${marker} tea over coffee.` }],
      replay,
    },
  };
}

/**
 * Returns one call for every kind of data stored about a user, with the marker in every text. Calls with different
 * numbers do not conflict.
 */
export function personalWrites(who: { tenant: string; user: string }, marker: string, number = 0): Call[] {
  const prefix = `/v1/tenants/${who.tenant}/users/${who.user}`;
  const id = `${marker}-${number}`;
  const text = `The word ${marker} was said ${number} times.`;
  const note = { [marker]: text };
  const patch = (binding: string, namespace: string, path: string, field: string, value: unknown): Call => ({
    method: 'PATCH',
    path: `${prefix}/documents/${namespace}/${path}`,
    headers: { 'if-match': '*', 'idempotency-key': `${id}-${randomUUID()}` },
    body: {
      profile_id: 'project-copilot-v1',
      binding_id: binding,
      reason: 'live_update',
      evidence: [{ message_id: id }],
      ops: [{ op: 'add', path: `/content/${field}`, value }],
    },
  });
  const post = (path: string, body: unknown): Call => ({ method: 'POST', path: `/v1/memory/${path}`, body });
  return [
    patch('user_dynamic', 'user', 'user_dynamic.json', 'preferences', [text]),
    patch('project_doc', 'projects', `${marker}.json`, 'summary', text),
    { method: 'POST', path: `${prefix}/events`, body: { event: { digest: text, keywords: [marker] } } },
    conversationWrite(who, marker, number, false),
    post('semantic', { content: text, external_id: id, metadata: note, tags: [marker] }),
    post('semantic', { content: `${text} Everybody may know.`, is_public: true }),
    post('episodic', { agent_id: 'agent', role: 'user', content: text, metadata: note }),
    { method: 'PUT', path: '/v1/facts', body: { subject: marker, attribute: id, value: text } },
    { method: 'POST', path: `/v1/subjects/${marker}:merge`, body: { with: `${marker} ${number}` } },
    post('procedural', { agent_id: 'agent', procedure_type: 'skill', content: text, trigger_condition: marker }),
    {
      method: 'POST',
      path: '/v1/provider/retain',
      body: { workspace_id: who.user, agent_id: marker, tier: 'lessons', content: text, mode: 'append' },
    },
    {
      method: 'POST',
      path: '/v1/memory-tool',
      body: { command: 'create', path: `/memories/${id}.md`, file_text: text },
    },
    { method: 'PUT', path: `/v1/memory/working/${marker}/${id}`, body: { value: note } },
    post('task-context', { task_id: id, event_type: marker, data: note, sub_tasks: [`${id}-sub`] }),
    post('plans', { plan_id: id, goal_event: marker, goal_data: note, correlation_ids: [`${id}-sub`] }),
    post('sessions', { session_id: id, name: text, metadata: note }),
  ];
}
