import { setTimeout as sleep } from 'node:timers/promises';
import { uuidv7 } from '@memhall/core';
import { type LoadClient, occurrence, type Told } from './load-client.js';

export const workingKeys = ['one', 'two', 'three'];
export const documentPaths = ['alpha.json', 'beta.json'];

const workingPath = (key: string) => `/v1/memory/working/load/${key}`;
const workingObject = ({ ownerName }: LoadClient, key: string) => `${ownerName} working/${key}`;

export async function writeWorkingValue(client: LoadClient, key: string): Promise<void> {
  const value = `${client.ownerName} ${uuidv7()}`;
  const told = await client.call({ method: 'PUT', path: workingPath(key), body: { value } });
  client.record({ ...occurrence(told), object: workingObject(client, key), model: 'register', action: 'write', value });
  client.recordAudit(told);
}

/** Removing what is not there is refused, so the register is found empty. */
export async function removeWorkingValue(client: LoadClient, key: string): Promise<void> {
  const told = await client.call({ method: 'DELETE', path: workingPath(key) });
  const common = { ...occurrence(told), object: workingObject(client, key), model: 'register' } as const;
  if (told.status === 404) client.record({ ...common, outcome: 'done', action: 'read', value: null });
  else client.record({ ...common, action: 'write', value: null });
  client.recordAudit(told);
}

export async function readWorkingValue(client: LoadClient, key: string): Promise<Told> {
  const told = await client.call({ path: workingPath(key) });
  recordRead(client, told, workingObject(client, key), told.body?.value);
  return told;
}

const documentUrl = ({ owner }: LoadClient, path: string) =>
  `/v1/tenants/${owner.tenant}/users/${owner.user}/documents/projects/${path}`;
const documentObject = ({ ownerName }: LoadClient, path: string) => `${ownerName} projects/${path}`;

export async function readDocument(client: LoadClient, path: string): Promise<Told> {
  const told = await client.call({ path: documentUrl(client, path) });
  recordRead(client, told, documentObject(client, path), told.body?.document?.content?.summary);
  return told;
}

/** Between two attempts. */
const againMs = 200;
/** Until a document was changed or refused, or this often nobody said so. */
const swapAttempts = 6;

/** Stores a document before anybody else knows of it. */
export async function createDocument(client: LoadClient, path: string): Promise<void> {
  await patchDocument(client, path, { etag: '*', expected: null, attempts: 60 });
}

/** Compare-and-set, if the document is there. */
export async function swapDocument(client: LoadClient, path: string): Promise<void> {
  const { outcome, headers, body } = await readDocument(client, path);
  if (outcome !== 'done') return;
  const expected = body.document.content.summary;
  await patchDocument(client, path, { etag: headers.get('etag') ?? '', expected, attempts: swapAttempts });
}

/** Sends the same Idempotency-Key again as long as nobody says what came of it: at most once all the same. */
async function patchDocument(
  client: LoadClient,
  path: string,
  { etag, expected, attempts }: { etag: string; expected: string | null; attempts: number },
): Promise<void> {
  const value = `${client.ownerName} ${uuidv7()}`;
  const id = uuidv7();
  const call = {
    method: 'PATCH',
    path: documentUrl(client, path),
    headers: { 'if-match': etag, 'idempotency-key': id },
    body: {
      profile_id: 'project-copilot-v1',
      binding_id: 'project_doc',
      reason: 'live_update',
      ops: [{ op: 'replace', path: '/content/summary', value }],
    },
  };
  const first = await client.call(call, id);
  let last = first;
  for (let count = 1; last.outcome === 'unknown' && count < attempts; count++) {
    await sleep(againMs);
    last = await client.call(call, id);
  }
  const told = { ...last, startedMs: first.startedMs };
  const object = documentObject(client, path);
  client.record({ ...occurrence(told), object, model: 'register', action: 'swap', expected, value });
  client.recordAudit(told);
}

function recordRead(client: LoadClient, told: Told, object: string, value: unknown): void {
  const common = { ...occurrence(told), object, model: 'register', action: 'read' } as const;
  if (told.status === 404) client.record({ ...common, outcome: 'done', value: null });
  else if (told.outcome === 'done') client.record({ ...common, value: String(value) });
}
