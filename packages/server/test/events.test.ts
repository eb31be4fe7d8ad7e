import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { deleteMemories } from '../src/store/postgres/change-memories.js';
import { flagsOf, runCommand } from './support/command.js';
import { describeEachDatabase } from './support/databases.js';
import { pastEverything } from './support/past-everything.js';
import { useServer } from './support/server.js';

describeEachDatabase('the events API', (database) => {
  const server = useServer(database, { embedder: 'local' });
  let service: string;

  beforeAll(async () => {
    service = await server().token({ roles: ['service'], service: 'assistant-a' });
  });

  const at = (user: string, call: string) => `/v1/tenants/t1/users/${user}/${call}`;
  const write = (user: string, event: Record<string, unknown>, headers = {}) =>
    server().call({ method: 'POST', path: at(user, 'events'), body: { event }, token: service, headers });
  const search = async (user: string, body: Record<string, unknown>) => {
    const answer = await server().call({ method: 'POST', path: at(user, 'events:search'), body, token: service });
    expect(answer.status).toBe(200);
    return answer.body.results;
  };
  const newUser = () => `u-${randomUUID()}`;
  const idsOf = (results: { event_id: string }[]) => results.map(({ event_id }) => event_id);

  const full = {
    event_id: 'evt_1',
    service_id: 'assistant-b',
    timestamp: '2026-02-14T20:00:00.000Z',
    source_type: 'chat',
    digest: 'Asked to split the memory by how long things live.',
    keywords: ['retention'],
    project_ids: ['project-alpha'],
    snapshot_uri: 'memhall://snapshots/s1',
    evidence: { message_ids: ['m12', 'm13'], span: { start: 12, end: 13 } },
  };

  it('returns the whole event with a score', async () => {
    const user = newUser();
    const written = await write(user, { ...full, tenant_id: 't1', user_id: user });
    expect(written.status).toBe(202);
    expect(written.body).toEqual({ event_id: 'evt_1' });
    const [result, ...others] = await search(user, { query: 'split the memory' });
    expect(others).toEqual([]);
    const { score, ...event } = result;
    expect(event).toEqual({ ...full, tenant_id: 't1', user_id: user });
    expect(score).toBeGreaterThan(0);
    expect(score).toBeLessThanOrEqual(1);
  });

  it('fills in optional fields', async () => {
    const user = newUser();
    const { body } = await write(user, { digest: 'Bought a bicycle.' });
    expect(body.event_id).toMatch(/^evt_[0-9A-HJKMNP-TV-Z]{26}$/);
    const [event] = await search(user, { query: 'bicycle' });
    expect(event).toMatchObject({ service_id: 'assistant-a', source_type: null, keywords: [], project_ids: [] });
    expect(Math.abs(Date.now() - Date.parse(event.timestamp))).toBeLessThan(60_000);
    expect(event).not.toHaveProperty('evidence');
  });

  it('replaces an event with the same id of the same user only', async () => {
    const [user, other] = [newUser(), newUser()];
    await write(user, { event_id: 'e', digest: 'Likes violins.' });
    await write(other, { event_id: 'e', digest: 'Likes violins too.' });
    await write(user, { event_id: 'e', digest: 'The invoice was paid in March.' });
    expect(idsOf(await search(user, { query: 'violins' }))).toEqual([]);
    expect((await search(user, { query: 'invoice' }))[0].digest).toBe('The invoice was paid in March.');
    expect((await search(other, { query: 'violins' }))[0].digest).toBe('Likes violins too.');
    expect(await search(user, {})).toHaveLength(1);
  });

  it('finds events by keyword and by meaning, and none that match neither', async () => {
    const user = newUser();
    await write(user, { event_id: 'a', digest: 'Talked about the garden.', keywords: ['SKU-4410'] });
    await write(user, { event_id: 'b', digest: 'The physician prescribed new medication.' });
    expect(idsOf(await search(user, { query: 'SKU-4410' }))).toEqual(['a']);
    expect(idsOf(await search(user, { query: 'what did the doctor give me' }))[0]).toBe('b');
    expect(await search(user, { query: 'quantum chromodynamics' })).toEqual([]);
  });

  describe('filters', () => {
    const user = `u-${randomUUID()}`;
    beforeAll(async () => {
      const common = { digest: 'A note on the release.' };
      await write(user, {
        ...common,
        event_id: 'a',
        service_id: 's1',
        source_type: 'chat',
        timestamp: '2026-01-01T00:00:00Z',
      });
      await write(user, {
        ...common,
        event_id: 'b',
        service_id: 's2',
        source_type: 'mail',
        timestamp: '2026-02-01T00:00:00Z',
        project_ids: ['p1', 'p2'],
      });
      await write(user, {
        ...common,
        event_id: 'c',
        service_id: 's1',
        source_type: 'mail',
        timestamp: '2026-03-01T00:00:00Z',
        project_ids: ['p2'],
      });
    });

    it.each([
      [{}, ['c', 'b', 'a']],
      [{ service_id: 's1' }, ['c', 'a']],
      [{ source_type: 'mail' }, ['c', 'b']],
      [{ project_id: 'p2' }, ['c', 'b']],
      [{ project_id: 'p' }, []],
      [{ project_id: 'p1', service_id: 's1' }, []],
      [{ from: '2026-02-01T00:00:00Z' }, ['c', 'b']],
      [{ to: '2026-02-01T00:00:00Z' }, ['b', 'a']],
      [{ from: '2026-01-02T00:00:00Z', to: '2026-02-28T00:00:00Z' }, ['b']],
      [{ top_k: 1 }, ['c']],
    ])('%j apply alone, newest first, and together with a query', async (conditions, expected) => {
      expect(idsOf(await search(user, conditions))).toEqual(expected);
      const found = idsOf(await search(user, { ...conditions, query: 'release' }));
      if ('top_k' in conditions) expect(found).toHaveLength(1);
      else expect([...found].sort()).toEqual([...expected].sort());
    });
  });

  it.each([
    [{ digest: '' }, 400, 'INVALID_EVENT'],
    [{ digest: '   ' }, 400, 'INVALID_EVENT'],
    [{}, 400, 'INVALID_EVENT'],
    [{ digest: 'x', timestamp: 'yesterday' }, 400, 'INVALID_EVENT'],
    [{ digest: 'x', timestamp: '2026-02-30T00:00:00Z' }, 400, 'INVALID_EVENT'],
    [{ digest: 'x', event_id: 'a b' }, 400, 'INVALID_EVENT'],
    [{ digest: 'x', keywords: 'a' }, 400, 'INVALID_EVENT'],
    [{ digest: 'x', colour: 'red' }, 400, 'UNKNOWN_FIELD'],
    [{ digest: 'x', tenant_id: 't2' }, 403, 'SCOPE_MISMATCH'],
    [{ digest: 'x', user_id: 'u2' }, 403, 'SCOPE_MISMATCH'],
  ])('rejects the event %j', async (event, status, code) => {
    const answer = await write('u1', event);
    expect(answer.status).toBe(status);
    expect(answer.body.error.code).toBe(code);
  });

  it.each([{ top_k: 0 }, { top_k: 101 }, { from: 'x' }, { query: 5 }])('rejects the search %j', async (body) => {
    const answer = await server().call({ method: 'POST', path: at('u1', 'events:search'), body });
    expect(answer.status).toBe(400);
  });

  it('keeps users apart', async () => {
    const user = newUser();
    await write(user, { digest: 'A secret of one user.' });
    expect(await search(newUser(), { query: 'secret of one user' })).toEqual([]);
    const own = await server().token({ user: 'somebody' });
    const answer = await server().call({ method: 'POST', path: at(user, 'events:search'), body: {}, token: own });
    expect(answer.status).toBe(403);
  });

  it('writes one audit record per event, without its text', async () => {
    const user = newUser();
    await write(user, { event_id: 'e1', digest: 'Something private.' });
    const { body } = await server().call({ path: `${at(user, 'audit')}?target=events/e1`, token: service });
    expect(body.records).toHaveLength(1);
    expect(body.records[0]).toMatchObject({ operation: 'events.write', target: 'events/e1', pre_etag: null, seq: 1 });
    expect(JSON.stringify(body)).not.toContain('private');
  });

  it('returns the same results after a reindex while the server is running', async () => {
    const user = newUser();
    for (let number = 0; number < 40; number++) {
      const timestamp = new Date(Date.UTC(2026, 0, 1 + number)).toISOString();
      await write(user, { event_id: `e${number}`, digest: `Visit ${number} to the museum of trains.`, timestamp });
    }
    const questions = [{ query: 'museum' }, { query: 'visit 17' }, { query: 'locomotive exhibition' }, { top_k: 50 }];
    const before = await Promise.all(questions.map((question) => search(user, { top_k: 50, ...question })));
    await pastEverything(
      database(),
      deleteMemories(`tenant_id = $1 AND external_id IN ('e3', 'e17')`).replaceAll('$1', `'t1'`),
    );
    expect(idsOf(await search(user, { query: 'visit 17' }))[0]).not.toBe('e17');
    const run = await runCommand(['reindex', '--tenant', 't1', ...flagsOf(database())], {
      MEMHALL_EMBEDDER: 'local',
    });
    expect(run.stderr).toBe('');
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(/^Reindex complete: tenants=1 users=\d+ events=\d+ removed=0 documents=\d+\n$/);
    const after = await Promise.all(questions.map((question) => search(user, { top_k: 50, ...question })));
    // Events that were stored again have arrived later than others with the very same score.
    const tiesById = (results: readonly { event_id: string; score?: number }[]) =>
      results.toSorted(({ score: a = 0, event_id: id }, { score: b = 0, event_id: other }) => {
        if (a !== b) return b - a;
        return a === 0 ? 0 : id < other ? -1 : 1;
      });
    expect(after.map(tiesById)).toEqual(before.map(tiesById));
  });
});
