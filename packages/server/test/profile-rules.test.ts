import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { flagsOf, runCommand } from './support/command.js';
import { describeOneDatabase } from './support/databases.js';
import { add, documentPath, patch } from './support/documents.js';
import { expectProblem } from './support/expect-problem.js';
import { useServer } from './support/server.js';

const profileId = 'rules';
const key = 'sk-abcdefghijklmnopqrstuvwxyz123456';
const redaction = '[REDACTED:SK_TOKEN]';
const open = { schema_id: 'open', schema_version: '1' };
const profile = {
  document_bindings: [
    {
      binding_id: 'user_dynamic',
      namespace: 'user',
      path: 'user_dynamic.json',
      ...open,
      redact_secrets: true,
      read_priority: 1,
      initial: { preferences: [], durable_facts: [], pending_confirmations: [], projects_index: [] },
    },
    { binding_id: 'plain', namespace: 'user', path: 'plain.json', ...open, read_priority: 2 },
    {
      binding_id: 'moved',
      namespace: 'user',
      path: 'moved.json',
      ...open,
      redact_secrets: true,
      legacy_paths: ['plain.json'],
      read_priority: 9,
    },
    { binding_id: 'team', namespace: 'teams', path_template: '{team_id}.json', ...open, read_priority: 3 },
    {
      binding_id: 'team_project',
      namespace: 'teams',
      path_template: '{team_id}/{project_id}.json',
      ...open,
      read_priority: 4,
    },
  ],
  writable_path_rules: {
    user_dynamic: ['/preferences', '/durable_facts', '/projects_index'],
    plain: [''],
    moved: [''],
    team: [''],
    team_project: [''],
  },
  confidence_rules: { min_confidence_for_durable_fact: 0.8 },
  freshness_rules: { stale_after_days: 90 },
  sections: {
    durable_facts: '/durable_facts',
    pending: '/pending_confirmations',
    preferences: '/preferences',
    routing: '/projects_index',
  },
};

describeOneDatabase('rules of a profile', (database) => {
  const server = useServer(database);
  let admin: string;

  beforeAll(async () => {
    admin = await server().token({ roles: ['admin'] });
    const schema = await server().call({
      method: 'PUT',
      path: '/v1/tenants/t1/schemas/open/1',
      body: { schema: { type: 'object' } },
      token: admin,
    });
    expect(schema.status).toBe(201);
    const registered = await server().call({
      method: 'PUT',
      path: `/v1/tenants/t1/profiles/${profileId}`,
      body: profile,
      token: admin,
    });
    expect(registered.status).toBe(201);
    expect(registered.body).toEqual({ ...profile, profile_id: profileId });
  });

  const newUser = () => `u-${randomUUID()}`;
  const write = (
    user: string,
    ops: Parameters<typeof patch>[1]['ops'],
    call: Partial<Parameters<typeof patch>[1]> = {},
  ) => patch(server(), { user, profile: profileId, token: admin, ops, ...call });
  const read = (user: string, query = '', headers: Record<string, string> = {}) =>
    server().call({ path: `${documentPath(user, ['user', 'user_dynamic.json'])}${query}`, token: admin, headers });
  const assemble = (user: string, body: Record<string, unknown> = {}) =>
    server().call({
      method: 'POST',
      path: `/v1/tenants/t1/users/${user}/context:assemble`,
      body: { profile_id: profileId, ...body },
      token: admin,
    });
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const fact = (text: string, more: { [name: string]: unknown; stale_after?: string; expires_at?: string } = {}) => ({
    text,
    confidence: 0.9,
    evidence: { message_ids: ['m1'] },
    last_verified_at: daysAgo(0),
    ...more,
  });

  describe('about secrets', () => {
    it('replace them in patches before anything is checked, stored or recorded', async () => {
      const user = newUser();
      const evidence = {
        snapshot_uri: 'memhall://tenants/t1/users/u-3f2b/snapshots/c1/snp_01M7PEHW4VFNTHGJKK7MHP7HRQ',
        quote: `the key ${key}`,
      };
      const headers = { 'idempotency-key': randomUUID() };
      const ops = [
        add('/preferences', [`Use ${key} for calls.`, 'Short answers']),
        add('/durable_facts/-', fact(`Signs in with ${key}`, { evidence })),
      ];
      const written = await write(user, ops, { body: { evidence }, headers });
      expect(written).toMatchObject({ status: 200, body: { redacted: true } });
      expect(written.body.document.content).toMatchObject({
        preferences: [`Use ${redaction} for calls.`, 'Short answers'],
        durable_facts: [
          {
            text: `Signs in with ${redaction}`,
            evidence: { snapshot_uri: evidence.snapshot_uri, quote: `the key ${redaction}` },
          },
        ],
      });
      const again = await write(user, ops, { body: { evidence }, headers });
      expect(again.body).toMatchObject({ idempotency_replay: true, redacted: true });
      const tested = await write(user, [
        { op: 'test', path: '/content/preferences/0', value: `Use ${key} for calls.` },
      ]);
      expect(tested.status).toBe(200);
      const history = await server().call({
        path: `${documentPath(user, ['user', 'user_dynamic.json'])}/history`,
        token: admin,
      });
      const audit = await server().call({ path: `/v1/tenants/t1/users/${user}/audit`, token: admin });
      expect(history.body.versions).toHaveLength(1);
      expect(JSON.stringify([history.body, audit.body])).not.toContain(key);
      expect(JSON.stringify(history.body)).toContain(redaction);
    });

    it('replace them in replacements, and say nothing if there is none', async () => {
      const user = newUser();
      const put = (preferences: string[]) =>
        server().call({
          method: 'PUT',
          path: documentPath(user, ['user', 'user_dynamic.json']),
          headers: { 'if-match': '*', 'idempotency-key': randomUUID() },
          body: {
            profile_id: profileId,
            binding_id: 'user_dynamic',
            reason: 'admin_migration',
            document: { content: { preferences } },
          },
          token: admin,
        });
      expect((await put([`Use ${key}.`])).body).toMatchObject({
        redacted: true,
        document: { content: { preferences: [`Use ${redaction}.`] } },
      });
      expect((await put(['Short answers'])).body).not.toHaveProperty('redacted');
    });

    it('apply only to bindings that demand it', async () => {
      const user = newUser();
      const document = ['user', 'plain.json'] as const;
      const { body } = await write(user, [add('/note', `Use ${key}.`)], { document, binding: 'plain' });
      expect(body.document.content).toEqual({ note: `Use ${key}.` });
      expect(body).not.toHaveProperty('redacted');
    });
  });

  describe('about secrets of documents at older places', () => {
    const moved = (user: string) => server().call({ path: documentPath(user, ['user', 'moved.json']), token: admin });
    const plain = { document: ['user', 'plain.json'], binding: 'plain' } as const;

    it('replace them when an operator moves the documents, and verify the result', async () => {
      const user = newUser();
      await write(user, [add('/note', `Use ${key}.`)], plain);
      const migrate = (mode: string) =>
        runCommand(['migrate', 'documents', '--tenant', 't1', '--profile', profileId, mode, ...flagsOf(database())]);
      expect(await migrate('--apply')).toMatchObject({ code: 0 });
      expect((await moved(user)).body.document.content).toEqual({ note: `Use ${redaction}.` });
      expect(await migrate('--verify')).toMatchObject({ code: 0 });
    });

    it('replace them when the first write moves the document', async () => {
      const user = newUser();
      await write(user, [add('/note', `Use ${key}.`)], plain);
      const first = await write(user, [add('/more', 1)], { document: ['user', 'moved.json'], binding: 'moved' });
      expect(first.body).toMatchObject({
        redacted: true,
        document: { content: { note: `Use ${redaction}.`, more: 1 } },
      });
      const rebuild = ['audit', 'rebuild', '--tenant', 't1', '--user', user, ...flagsOf(database())];
      expect(await runCommand(rebuild)).toMatchObject({ code: 0 });
    });
  });

  describe('about freshness', () => {
    it('mark stale facts in assembly and in reads, and keep them', async () => {
      const user = newUser();
      const facts = [
        fact('fresh'),
        fact('old', { last_verified_at: daysAgo(91) }),
        fact('on leave', { stale_after: daysAgo(1), last_verified_at: daysAgo(2) }),
        fact('moving', { expires_at: daysAgo(3), last_verified_at: daysAgo(9) }),
        fact('said again', { stale_after: daysAgo(5) }),
      ];
      await write(user, [add('/durable_facts', facts)]);
      const stale = [
        { path: '/content/durable_facts/1', since: expect.stringMatching(/Z$/), reason: 'not_verified' },
        { path: '/content/durable_facts/2', since: facts[2]?.stale_after, reason: 'stale_after' },
        { path: '/content/durable_facts/3', since: facts[3]?.expires_at, reason: 'expired' },
      ];
      const context = await assemble(user);
      expect(context.body.documents).toMatchObject([{ binding_id: 'user_dynamic', stale }]);
      expect(context.body.documents[0].document.content.durable_facts).toEqual(facts);
      const marked = await read(user, `?profile_id=${profileId}`);
      expect(marked.body.stale).toEqual(stale);
      expect((await read(user)).body).not.toHaveProperty('stale');
      expectProblem(await read(user, '?profile_id=none'), 'PROFILE_NOT_FOUND');

      const known = { 'if-none-match': marked.body.etag };
      expect((await read(user, '', known)).status).toBe(304);
      expect((await read(user, `?profile_id=${profileId}`, known)).status).toBe(200);
      const starter = await read(user, '?profile_id=project-copilot-v1');
      expect(starter.body.stale.map(({ reason }: { reason: string }) => reason)).toEqual(['stale_after', 'expired']);
    });

    it('leave fresh documents as they are', async () => {
      const user = newUser();
      await write(user, [add('/durable_facts', [fact('fresh')])]);
      expect((await assemble(user)).body.documents[0]).not.toHaveProperty('stale');
      expect((await read(user, `?profile_id=${profileId}`)).body).not.toHaveProperty('stale');
    });
  });

  describe('about paths with variables', () => {
    const teamFile = (user: string, path: string, binding: string, note: string) =>
      write(user, [add('/note', note)], { document: ['teams', path], binding });
    const found = ({ body }: { body: { documents: { binding_id: string; path: string }[] } }) =>
      body.documents.map(({ binding_id: id, path }) => [id, path]);

    it('are filled in from the request', async () => {
      const user = newUser();
      await write(user, [add('/projects_index', [{ project_id: 'alpha', aliases: ['Harbour'] }])]);
      await teamFile(user, 'red.json', 'team', 'of team red');
      await teamFile(user, 'blue.json', 'team', 'of team blue');
      await teamFile(user, 'red/alpha.json', 'team_project', 'of team red in alpha');
      const hint = { conversation_hint: { text: 'How is Harbour?' } };
      const general = ['user_dynamic', 'user_dynamic.json'];
      expect(found(await assemble(user, { ...hint, variables: { team_id: 'red', other: 'x' } }))).toEqual([
        general,
        ['team', 'red.json'],
        ['team_project', 'red/alpha.json'],
      ]);
      expect(found(await assemble(user, { variables: { team_id: 'blue' } }))).toEqual([general, ['team', 'blue.json']]);
      const named = { conversation_hint: { project_id: 'alpha' }, variables: { team_id: 'red' } };
      expect(found(await assemble(user, named))).toHaveLength(3);
    });

    it('drop their binding if a value is missing, and say which', async () => {
      const user = newUser();
      const dropped = async (body: object) =>
        (await assemble(user, { ...body })).body.dropped_bindings.filter(({ binding_id: id }: { binding_id: string }) =>
          id.startsWith('team'),
        );
      expect(await dropped({})).toEqual([
        { binding_id: 'team', reason: 'missing', missing_variables: ['team_id'] },
        { binding_id: 'team_project', reason: 'missing', missing_variables: ['team_id'] },
      ]);
      expect(await dropped({ variables: { team_id: 'none' } })).toEqual([
        { binding_id: 'team', reason: 'missing' },
        { binding_id: 'team_project', reason: 'missing' },
      ]);
    });

    it.each([
      [{ team_id: '../red' }, 'INVALID_PATH'],
      [{ team_id: '..' }, 'INVALID_PATH'],
      [{ team_id: 'a/b' }, 'INVALID_PATH'],
      [{ team_id: 'a\\b' }, 'INVALID_PATH'],
      [{ team_id: 'a\nb' }, 'INVALID_PATH'],
      [{ team_id: '' }, 'INVALID_REQUEST'],
      [{ team_id: 7 }, 'INVALID_REQUEST'],
      [{ 'team id': 'red' }, 'UNKNOWN_FIELD'],
      [{ project_id: 'alpha' }, 'INVALID_REQUEST'],
      [['red'], 'INVALID_REQUEST'],
    ] as const)('refuse %j', async (variables, code) => {
      expectProblem(await assemble('u1', { variables }), code);
    });

    it('do not reach documents of others, or other namespaces', async () => {
      const [one, other] = [newUser(), newUser()];
      await teamFile(one, 'red.json', 'team', 'mine');
      expect(found(await assemble(other, { variables: { team_id: 'red' } }))).toEqual([]);
    });
  });
});
