import { request } from 'node:http';
import { beforeAll, expect, it } from 'vitest';
import { describeEachDatabase, describeOneDatabase } from './support/databases.js';
import { GatewayUser } from './support/gateway-user.js';
import { pastEverything } from './support/past-everything.js';
import { newMarker } from './support/personal-writes.js';
import { type TestServer, useServer } from './support/server.js';
import { gatewayWrites, tokenWrites } from './support/unrecorded-writes.js';

interface ExportRecord {
  type: string;
  // biome-ignore lint/suspicious/noExplicitAny: records are looked at, not typed
  [field: string]: any;
}

const path = '/v1/memories:export';

async function exported(server: TestServer, token: string): Promise<ExportRecord[]> {
  const response = await fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
  return (await response.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** Writes through every surface, and a line into a note that both users share. */
async function writeEverywhere(server: TestServer, user: string, marker: string): Promise<string> {
  const gateway = await GatewayUser.of(server, { user });
  const token = await server.token({ user, claims: { workspace_id: 'harbour', team_id: 'blue' } });
  const writer = { server, gateway, token, marker, workspace: 'harbour' };
  const notes = { workspace_id: 'harbour', agent_id: 'a1', tier: 'lessons', mode: 'append' };
  const team = { content: `Blue knows ${marker}.`, namespace: 'team:blue' };
  const more = [
    { method: 'POST', path: '/v1/provider/retain', body: { ...notes, content: `# ${user}\n${user} notes ${marker}.` } },
    { method: 'POST', path: '/v1/remember', body: team },
  ];
  for (const call of [...tokenWrites(writer), ...more]) {
    if (call.path === '/v1/provider/retain' && call.body !== more[0]?.body) continue;
    const { status, body } = await server.call({ ...call, token });
    expect([call.path, status < 300, status < 300 ? '' : body]).toEqual([call.path, true, '']);
  }
  for (const { status } of Object.values(await gatewayWrites(writer, {}))) expect(status).toBe(200);
  return token;
}

describeOneDatabase('the export of one’s own memory', (database) => {
  const server = useServer(database);
  const [hers, his] = [newMarker(), newMarker()];
  let token: string;
  let records: ExportRecord[];
  const ofType = (type: string) => records.filter((record) => record.type === type);

  beforeAll(async () => {
    token = await writeEverywhere(server(), 'ann', hers);
    await writeEverywhere(server(), 'bob', his);
    records = await exported(server(), token);
  });

  it('has what the user wrote on every surface, and says that it is complete', () => {
    expect(records[0]).toMatchObject({ type: 'export', format: 'memhall-memory', tenant_id: 't1', user_id: 'ann' });
    expect(records.at(-1)).toEqual({
      type: 'end',
      counts: {
        facts: ofType('fact').length,
        memories: ofType('memory').length,
        documents: ofType('document').length,
        files: ofType('file').length,
      },
    });
    const places = ofType('memory').map(({ kind, namespace, public: isPublic, origin }) =>
      [kind, isPublic ? 'public' : namespace, origin.resource ? 'file' : origin.tier?.label].filter(Boolean).join(' '),
    );
    expect(new Set(places)).toEqual(
      new Set([
        ...['episodic', 'event', 'note', 'note team:blue', 'note workspace:harbour', 'procedural', 'resource file'],
        ...['semantic', 'semantic public', 'tier lessons.md'],
      ]),
    );
    for (const { id, trust, recorded_at, occurred_at, origin } of ofType('memory')) {
      expect([id, trust, recorded_at, occurred_at, origin.surface]).toEqual(Array(5).fill(expect.any(String)));
    }
  });

  it('has facts with their times, documents as they are, and files with their pieces', () => {
    expect(ofType('fact')).toMatchObject([
      { subject: hers, status: 'current', valid_from: expect.any(String), valid_to: null, trust: 'user' },
    ]);
    const documents = ofType('document').map(({ namespace, path }) => `${namespace}/${path}`);
    expect(documents).toEqual([`memory-files/user/${hers}-0.md`, `projects/${hers}.json`, 'user/user_dynamic.json']);
    expect(ofType('document')[2]?.document.content.preferences[0]).toContain(hers);
    const at = records.findIndex(({ type }) => type === 'file');
    expect(records[at]).toMatchObject({ file_name: `${hers}.md`, pieces: 1, status: 'extracted' });
    expect(records[at + 1]).toMatchObject({ kind: 'resource', content: expect.stringContaining(hers) });
  });

  it('has nothing of others, not even from a note that both wrote', () => {
    const text = JSON.stringify(records);
    expect(text).not.toContain(his);
    expect(text).not.toContain('bob');
    expect(ofType('memory').filter(({ kind }) => kind === 'tier')).toMatchObject([
      { content: `# ann\nann notes ${hers}.`, origin: { author: 'ann', tier: { label: 'lessons.md' } } },
    ]);
  });

  it('has each memory once', () => {
    const ids = ofType('memory').map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)]);
  });

  it('can be read by a person, in sections with dates and authors', async () => {
    const { status, headers, body } = await server().call({ path: `${path}?format=markdown`, token });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8']);
    expect(body.match(/^## .*$/gm)).toEqual([
      ...['## Facts', '## Remembered', '## Notes', '## Documents', '## Conversations', '## Files'],
    ]);
    expect(body).toMatch(/^# Memory of ann\n\nExported on \d{4}-\d\d-\d\d \d\d:\d\d UTC from tenant t1\.\n/);
    expect(body).toMatch(
      /- I prefer \w+ tea\.\n {2}\*from your memories, \d{4}-\d\d-\d\d, written by you; note, trust user\*/,
    );
    expect(body).toMatch(/### Session chat:1\n\n- \*\*user\*\*, 2026-05-28 20:26 UTC: I met \w+\.\n/);
    expect(body).toMatch(/### lessons\.md \(agent:a1\)\n\n- \\# ann\n {2}ann notes/);
    expect(body).toContain(`### user/user_dynamic.json\n`);
    expect(body).toMatch(/### memory-files\/user\/\S+-0\.md\n\n\*version 1, .*\*\n\n```markdown\n[^[{"`]+\n```\n/);
    expect(body).toMatch(/\nComplete: 1 facts, \d+ memories, 3 documents, 1 files\.\n$/);
    expect([body.includes(hers), body.includes(his)]).toEqual([true, false]);
  });

  it('leaves one audit record, and is for the user alone', async () => {
    const count = `SELECT count(*)::int AS n FROM memhall.audit_records WHERE user_id = 'ann' AND target = 'export'`;
    const [before] = await pastEverything<{ n: number }>(database(), count);
    await exported(server(), token);
    const [after] = await pastEverything<{ n: number }>(database(), count);
    expect(after?.n).toBe((before?.n ?? 0) + 1);
    const other = await server().call({ path: `${path}?user_id=bob`, token });
    expect(other.status).toBe(403);
    const operator = await server().token({ user: 'ann', roles: ['operator'] });
    expect((await server().call({ path, token: operator })).status).toBe(403);
    expect((await server().call({ path: `${path}?format=pdf`, token })).status).toBe(400);
  });

  it('is empty but complete for a user without memories', async () => {
    const nobody = await exported(server(), await server().token({ user: 'nobody' }));
    expect(nobody.map(({ type }) => type)).toEqual(['export', 'end']);
  });
});

describeEachDatabase('an export while others write and clients are slow', (database) => {
  const server = useServer(database);
  let token: string;
  const remember = (memories: object[]) =>
    server().call({ method: 'POST', path: '/v1/remember', body: { memories }, token });

  beforeAll(async () => {
    token = await server().token({ user: 'busy' });
    const filler = 'x'.repeat(2000);
    for (let batch = 0; batch < 3; batch++) {
      const memories = Array.from({ length: 300 }, (_, n) => {
        const number = batch * 300 + n;
        return { content: `Number ${number}. ${filler}`, external_id: `m${number}`, session_id: `s${number % 7}` };
      });
      expect((await remember(memories)).status).toBe(201);
    }
  });

  it('has everything that is there from the beginning to the end, once', async () => {
    const response = await fetch(`${server().url}${path}`, { headers: { authorization: `Bearer ${token}` } });
    const seen: string[] = [];
    let text = '';
    let round = 0;
    for await (const bytes of response.body ?? []) {
      text += Buffer.from(bytes).toString('utf8');
      const number = (round++ * 37) % 900;
      const changed = { content: `Changed ${number}.`, external_id: `m${number}` };
      await remember([changed, { content: `New ${round}.`, external_id: `n${round}` }]);
    }
    for (const line of text.trimEnd().split('\n')) {
      const { type, external_id: id } = JSON.parse(line);
      if (type === 'memory' && id.startsWith('m')) seen.push(id);
    }
    expect(round).toBeGreaterThan(5);
    expect(seen.toSorted()).toEqual(Array.from({ length: 900 }, (_, n) => `m${n}`).toSorted());
    expect(JSON.parse(text.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ type: 'end' });
  });

  it('holds nothing that others wait for while its client does not read', async () => {
    const stopped = Array.from({ length: 12 }, async () => {
      const sent = request(`${server().url}${path}`, { headers: { authorization: `Bearer ${token}` } });
      sent.end();
      const response = await new Promise<NodeJS.ReadableStream>((done) => sent.once('response', done));
      response.pause();
      return sent;
    });
    const open = await Promise.all(stopped);
    expect((await remember([{ content: 'Written meanwhile.' }])).status).toBe(201);
    const found = await server().call({ method: 'POST', path: '/v1/recall', body: { query: 'meanwhile' }, token });
    expect(found.body.results).toHaveLength(1);
    for (const sent of open) sent.destroy();
    expect((await exported(server(), token)).at(-1)?.type).toBe('end');
  });
});
