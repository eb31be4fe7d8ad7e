import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProblemCode } from '@memhall/core';
import { beforeAll, expect, it } from 'vitest';
import { describeOneDatabase } from './support/databases.js';
import { documentPath } from './support/documents.js';
import { expectProblem } from './support/expect-problem.js';
import { pastEverything } from './support/past-everything.js';
import { type Answer, useServer } from './support/server.js';

const mebibyte = 1024 * 1024;
const profile = 'project-copilot-v1';

function refused(answer: Answer, code: ProblemCode, reason = /./): void {
  expectProblem(answer, code);
  expect(answer.body.error.message).toMatch(reason);
}

describeOneDatabase('snapshots', (database) => {
  const server = useServer(database, { jobs: 'true' });
  let admin: string;

  beforeAll(async () => {
    admin = await server().token({ user: 'auditor', roles: ['admin'] });
  });

  const newUser = () => `u-${randomUUID()}`;
  const at = (user: string, conversation = 'c1') =>
    `/v1/tenants/t1/users/${user}/conversations/${conversation}/snapshots`;
  const say = (content: unknown, id = 'm1') => ({ id, role: 'user', content });

  const take = (user: string, messages: readonly unknown[], body: Record<string, unknown> = {}, conversation = 'c1') =>
    server().call({
      method: 'POST',
      path: at(user, conversation),
      body: { messages, profile_id: profile, replay: false, ...body },
      token: admin,
    });
  const read = (user: string, snapshotId: string, token = admin) =>
    server().call({ path: `${at(user)}/${snapshotId}`, token });
  const list = (user: string, query = '', token = admin) => server().call({ path: `${at(user)}${query}`, token });

  async function replayed(user: string, messages: readonly unknown[], conversation = 'c1') {
    const { status, body } = await take(user, messages, { replay: true }, conversation);
    expect(status).toBe(202);
    for (;;) {
      const path = `/v1/tenants/t1/users/${user}/replays/${body.replay_id}`;
      const replay = (await server().call({ path, token: admin })).body;
      if (replay.finished_at !== null) return replay;
      await sleep(20);
    }
  }

  it('of up to 25 MiB are stored, and read again unchanged', async () => {
    const user = newUser();
    const messages = Array.from({ length: 26 }, (_, number) => ({
      ...say(`${number} é€😀 ${String.fromCharCode(97 + number).repeat(1_000_000)}`, `m${number}`),
      timestamp: '2026-03-02T10:00:00+01:00',
    }));
    const { status, body } = await take(user, messages);
    expect(status).toBe(202);
    const found = await read(user, body.snapshot_id);
    expect(found.status).toBe(200);
    expect(found.body).toEqual({
      snapshot_id: body.snapshot_id,
      conversation_id: 'c1',
      snapshot_uri: body.snapshot_uri,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      profile_id: profile,
      messages,
    });
    refused(await take(user, [...messages, say('x'.repeat(mebibyte), 'last')]), 'PAYLOAD_TOO_LARGE', /25 MiB/);
  });

  it('are replayed when they are large too: in a thread, and without secrets', async () => {
    const user = newUser();
    const filler = Array.from({ length: 200 }, (_, number) => say('Nothing new. '.repeat(200), `f${number}`));
    const messages = [
      say('My name is Dana and I live in Lisbon.', 'first'),
      ...filler,
      say('Remember that my API key is sk-abcdefghijklmnopqrstuvwxyz123456.', 'secret'),
      say('I prefer short answers.', 'last'),
    ];
    expect(JSON.stringify(messages).length).toBeGreaterThan(mebibyte / 2);
    const replay = await replayed(user, messages);
    expect(replay).toMatchObject({ status: 'completed', error: null });
    const { document } = (
      await server().call({ path: documentPath(user, ['user', 'user_dynamic.json']), token: admin })
    ).body;
    expect(document.content.preferences).toEqual([expect.stringMatching(/short answers/)]);
    expect(JSON.stringify(document.content.durable_facts)).toMatch(/Lisbon/);
    expect(JSON.stringify(document)).not.toMatch(/sk-abc/);
  });

  it('take content as parts of type text, which become one text', async () => {
    const user = newUser();
    const parts = [
      { type: 'text', text: 'My name is Dana.' },
      { type: 'text', text: 'I live in Lisbon.' },
    ];
    const { body } = await take(user, [say(parts)]);
    expect((await read(user, body.snapshot_id)).body.messages).toEqual([say('My name is Dana.\nI live in Lisbon.')]);
    const image = { type: 'image_url', image_url: { url: 'https://example.org/a.png' } };
    refused(await take(user, [say([...parts, image])]), 'UNSUPPORTED_CONTENT', /"messages.0.content.2"/);
    refused(await take(user, [say([{ type: 'text' }])]), 'INVALID_REQUEST', /messages.0.content.0.text/);
    refused(await take(user, [say([])]), 'INVALID_REQUEST', /messages.0.content/);
  });

  it('are listed and read by admins only, and reading leaves a record without content', async () => {
    const user = newUser();
    const ids: string[] = [];
    for (const number of [1, 2, 3]) ids.push((await take(user, [say(`Message ${number}`)])).body.snapshot_id);
    const first = await list(user, '?limit=2');
    expect(first.body.snapshots.map(({ snapshot_id }: { snapshot_id: string }) => snapshot_id)).toEqual(
      [...ids].sort().slice(0, 2),
    );
    expect(first.body.snapshots[0]).toMatchObject({ conversation_id: 'c1', encrypted_bytes: expect.any(Number) });
    const rest = await list(user, `?limit=2&cursor=${first.body.next_cursor}`);
    expect(rest.body).toEqual({ snapshots: [expect.objectContaining({ snapshot_id: [...ids].sort()[2] })] });
    expect((await list(newUser())).body).toEqual({ snapshots: [] });

    const [one = ''] = ids;
    expect((await read(user, one)).body.messages).toEqual([say('Message 1')]);
    for (const token of [await server().token({ user }), await server().token({ roles: ['service'] })]) {
      refused(await list(user, '', token), 'FORBIDDEN');
      refused(await read(user, one, token), 'FORBIDDEN');
    }
    refused(await read(newUser(), one), 'NOT_FOUND');
    refused(await read(user, 'snp_none'), 'NOT_FOUND');
    const other = await server().token({ tenant: 't2', roles: ['admin'] });
    refused(await read(user, one, other), 'FORBIDDEN');

    const target = encodeURIComponent(`snapshots/c1/${one}`);
    const audit = await server().call({ path: `/v1/tenants/t1/users/${user}/audit?target=${target}`, token: admin });
    const readings = audit.body.records.filter(
      ({ operation }: { operation: string }) => operation === 'conversations.readSnapshot',
    );
    expect(readings).toEqual([expect.objectContaining({ actor: expect.objectContaining({ user_id: 'auditor' }) })]);
    expect(JSON.stringify(audit.body)).not.toContain('Message 1');
  });

  it('whose key was destroyed cannot be read, and say so', async () => {
    const token = await server().token({ tenant: 't-gone', user: 'u1', roles: ['admin'] });
    const path = '/v1/tenants/t-gone/users/u1/conversations/c1/snapshots';
    const body = { messages: [say('Hello')], profile_id: profile, replay: false };
    const { snapshot_id: id } = (await server().call({ method: 'POST', path, body, token })).body;
    await pastEverything(database(), `DELETE FROM memhall.tenant_keys WHERE tenant_id = 't-gone'`);
    const answer = await server().call({ path: `${path}/${id}`, token });
    refused(answer, 'SNAPSHOT_UNREADABLE', /the tenant's key was destroyed/);
  });
});
