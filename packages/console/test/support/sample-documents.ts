import type { TestServer } from '../../../server/test/support/server.js';

let tries = 0;

type Operation = { op: string; path: string; value?: unknown };

/** Writes a document of the starter profile as a service would, and returns its ETag. */
export async function patchDocument(
  server: TestServer,
  token: string,
  {
    user = 'me',
    namespace = 'user',
    path = 'user_dynamic.json',
    binding = 'user_dynamic',
    ops,
    ...more
  }: DocumentPatch,
): Promise<string> {
  tries += 1;
  const answer = await server.call({
    method: 'PATCH',
    path: `/v1/tenants/t1/users/${user}/documents/${namespace}/${encodeURIComponent(path)}`,
    headers: { 'if-match': '*', 'idempotency-key': `sample-${tries}` },
    body: { profile_id: 'project-copilot-v1', binding_id: binding, reason: 'live_update', ops, ...more },
    token,
  });
  if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return answer.body.etag;
}

interface DocumentPatch {
  user?: string;
  namespace?: string;
  path?: string;
  binding?: string;
  ops: readonly Operation[];
  evidence?: object;
}

/** Three documents, one of which was changed twice. */
export async function writeDocuments(server: TestServer, token: string): Promise<void> {
  const patch = (given: DocumentPatch) => patchDocument(server, token, given);
  const fact = {
    text: 'Ann leads the rollout of release 4.',
    confidence: 0.92,
    evidence: { conversation_id: 'standup-12', message_ids: ['m3'] },
    last_verified_at: '2026-11-02T09:00:00.000Z',
  };
  await patch({ ops: [{ op: 'add', path: '/content/preferences/-', value: 'Answers in two sentences.' }] });
  await patch({ ops: [{ op: 'add', path: '/content/durable_facts/-', value: fact }] });
  await patch({
    ops: [
      { op: 'replace', path: '/content/preferences/0', value: 'Answers in one sentence.' },
      { op: 'add', path: '/content/preferences/-', value: 'Metric units.' },
    ],
    evidence: { note: 'She said so on Monday.' },
  });
  const aliases = ['the rollout', 'release 4'];
  const project = { project_id: 'rollout', aliases, keywords: ['release', 'freeze'] };
  await patch({ ops: [{ op: 'add', path: '/content/projects_index/-', value: project }] });
  await patch({
    namespace: 'projects',
    path: 'rollout.json',
    binding: 'project_doc',
    ops: [
      { op: 'replace', path: '/content/summary', value: 'Release 4 goes out on Monday, after the freeze.' },
      { op: 'add', path: '/content/facets/owner', value: 'Ann' },
      { op: 'add', path: '/content/recent_notes/-', value: 'The staging database is restored every night.' },
    ],
  });
}
