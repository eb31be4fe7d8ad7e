import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { describeEachDatabase } from './support/databases.js';
import { DocumentUser, dynamic, fact, fixed, project, register } from './support/document-user.js';
import { add } from './support/documents.js';
import { expectProblem } from './support/expect-problem.js';
import { useServer } from './support/server.js';

const start = { preferences: [], durable_facts: [], pending_confirmations: [], projects_index: [] };

describeEachDatabase('a governed document', (database) => {
  const server = useServer(database);
  const newUser = () => DocumentUser.of(server());

  describe('creation', () => {
    it('uses the initial content of the binding and adds the service’s envelope', async () => {
      const user = await newUser();
      expectProblem(await user.get(dynamic), 'DOCUMENT_NOT_FOUND');
      const made = await user.patch(dynamic, [add('/preferences/-', 'short')], {
        headers: { 'if-match': undefined, 'if-none-match': '*' },
      });
      expect(made.status).toBe(200);
      expect(made.body).toEqual({
        etag: expect.stringMatching(/^"[\w-]{27}"$/),
        document: {
          doc_id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7/),
          schema_id: 'memory.user.dynamic',
          schema_version: '1.0.0',
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          updated_at: made.body.document.created_at,
          updated_by: user.user,
          content: { ...start, preferences: ['short'] },
        },
        idempotency_replay: false,
      });
      expect(made.headers.get('etag')).toBe(made.body.etag);
      const read = await user.get(dynamic);
      expect([read.status, read.headers.get('etag')]).toEqual([200, made.body.etag]);
      expect(read.body).toEqual({ etag: made.body.etag, document: made.body.document });
    });

    it('happens only once with If-None-Match: *, and needs no existing document with If-Match: *', async () => {
      const user = await newUser();
      const create = { headers: { 'if-match': undefined, 'if-none-match': '*' } };
      await user.patched(project, [], { headers: { 'if-match': '*' } });
      const { body } = await user.get(project);
      expect(body.document.content).toEqual({ summary: '', facets: {}, recent_notes: [] });
      const refused = await user.patch(project, [], create);
      expectProblem(refused, 'ETAG_MISMATCH');
      expect(refused.body.error.details).toEqual({ latest_etag: body.etag });
      await user.patched(project, [add('/summary', 'x')], { headers: { 'if-match': '*' } });
      const none = await user.patch('projects/beta.json', [], { headers: { 'if-match': body.etag } });
      expectProblem(none, 'ETAG_MISMATCH');
      expect(none.body.error.details).toEqual({ latest_etag: null });
      await user.patched(fixed, [], create);
      expect(await user.content(fixed)).toEqual({ profile: {} });
    });
  });

  describe('its strong ETag', () => {
    it('changes exactly when the document changes', async () => {
      const user = await newUser();
      const first = await user.patched(dynamic, [add('/preferences', ['a', 'b'])]);
      const still = [
        [],
        [{ op: 'test', path: '/content/preferences/0', value: 'a' }],
        [{ op: 'replace', path: '/content/preferences/0', value: 'a' }],
        [add('/preferences/-', 'c'), { op: 'remove', path: '/content/preferences/2' }],
        [{ op: 'move', from: '/content/preferences/0', path: '/content/preferences/0' }],
      ];
      for (const ops of still) {
        const { etag, document } = await user.patched(dynamic, ops, { headers: { 'if-match': first.etag } });
        expect({ etag, document }).toEqual({ etag: first.etag, document: first.document });
      }
      expect(await user.versions(dynamic)).toHaveLength(1);
      const away = await user.patched(dynamic, [{ op: 'remove', path: '/content/preferences/1' }]);
      const back = await user.patched(dynamic, [add('/preferences/-', 'b')]);
      expect(back.document.content).toEqual(first.document.content);
      expect(new Set([first.etag, away.etag, back.etag]).size).toBe(3);
      expect(back.document).toMatchObject({ doc_id: first.document.doc_id, created_at: first.document.created_at });
      expect(back.document.updated_at > away.document.updated_at).toBe(true);
    });

    it('lets readers skip an unchanged document', async () => {
      const user = await newUser();
      const { etag } = await user.patched(dynamic, []);
      for (const tags of [etag, `"other", ${etag}`, `W/${etag}`, '*']) {
        const answer = await user.get(dynamic, { headers: { 'if-none-match': tags } });
        expect([answer.status, answer.body, answer.headers.get('etag')]).toEqual([304, '', etag]);
      }
      expect((await user.get(dynamic, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
    });

    it('must be sent by writers', async () => {
      const user = await newUser();
      const { etag } = await user.patched(dynamic, []);
      const ops = [add('/preferences/-', 'x')];
      for (const tags of ['"other"', `W/${etag}`]) {
        const refused = await user.patch(dynamic, ops, { headers: { 'if-match': tags } });
        expectProblem(refused, 'ETAG_MISMATCH');
        expect(refused.body.error.details).toEqual({ latest_etag: etag });
      }
      const written = await user.patched(dynamic, ops, { headers: { 'if-match': `"other", ${etag}` } });
      expect(written.etag).not.toBe(etag);
    });
  });

  describe('a patch', () => {
    it('applies all six operations in order', async () => {
      const user = await newUser();
      const { document } = await user.patched(project, [
        add('/facets/a~1b', { x: [1, 2] }),
        { op: 'test', path: '/content/facets/a~1b/x', value: [1, 2] },
        { op: 'copy', from: '/content/facets/a~1b', path: '/content/facets/copy' },
        { op: 'replace', path: '/content/facets/copy/x/0', value: null },
        { op: 'move', from: '/content/facets/copy', path: '/content/facets/moved' },
        { op: 'remove', path: '/content/facets/moved/x/1' },
        { op: 'replace', path: '/content/summary', value: 'done' },
      ]);
      expect(document.content).toEqual({
        summary: 'done',
        facets: { 'a/b': { x: [1, 2] }, moved: { x: [null] } },
        recent_notes: [],
      });
    });

    it('applies as a whole or not at all', async () => {
      const user = await newUser();
      const before = await user.patched(project, [add('/summary', 'before')]);
      const broken = await user.patch(project, [
        add('/summary', 'after'),
        { op: 'test', path: '/content/summary', value: 'before' },
      ]);
      expectProblem(broken, 'PATCH_APPLY_FAILED');
      expect(broken.body.error.details).toMatchObject({ index: 1, op: 'test', path: '/content/summary' });
      expect((await user.get(project)).body.etag).toBe(before.etag);
      expect(await user.versions(project)).toHaveLength(1);
    });

    it('cannot change the envelope', async () => {
      const user = await newUser();
      const before = await user.patched(dynamic, []);
      for (const op of [
        ...['doc_id', 'schema_id', 'schema_version', 'created_at', 'updated_at', 'updated_by', 'new'].map((name) => ({
          op: 'add',
          path: `/${name}`,
          value: 'mine',
        })),
        { op: 'replace', path: '', value: {} },
        { op: 'remove', path: '/content' },
        { op: 'test', path: '/doc_id', value: before.document.doc_id },
        { op: 'move', from: '/doc_id', path: '/content/preferences/0' },
        { op: 'copy', from: '/updated_by', path: '/content/preferences/-' },
        { op: 'copy', from: '', path: '/content/preferences/-' },
      ]) {
        expectProblem(await user.patch(dynamic, [op]), 'PATH_NOT_WRITABLE');
      }
      expect((await user.get(dynamic)).body).toEqual({ etag: before.etag, document: before.document });
    });

    it('records the caller from the token, or else from the header', async () => {
      const user = await newUser();
      const header = { headers: { 'x-service-id': 'assistant-a' } };
      expect((await user.patched(dynamic, [add('/preferences/-', '1')], header)).document.updated_by).toBe(
        'assistant-a',
      );
      const token = await user.token({ service: 'crm' });
      const named = await user.patched(dynamic, [add('/preferences/-', '2')], { ...header, token });
      expect(named.document.updated_by).toBe('crm');
      const robot = await server().token({ user: 'robot', roles: ['service'] });
      const other = await user.patched(dynamic, [add('/preferences/-', '3')], { token: robot });
      expect(other.document.updated_by).toBe('robot');
      const actors = (await user.versions(dynamic)).map(({ actor }) => actor);
      expect(actors).toEqual([
        { user_id: 'robot', service_id: null, roles: ['service'] },
        { user_id: user.user, service_id: 'crm', roles: [], is_service: true },
        { user_id: user.user, service_id: 'assistant-a', roles: [] },
      ]);
      const bad = await user.patch(dynamic, [], { headers: { 'x-service-id': 'not an id' } });
      expectProblem(bad, 'INVALID_REQUEST');
    });
  });

  describe('its history', () => {
    it('records the author, the reason, the evidence and the operations of every version', async () => {
      const user = await newUser();
      const evidence = { conversation_id: 'c', message_ids: ['m1'] };
      const ops = [add('/durable_facts/-', fact('likes tea'))];
      const first = await user.patched(dynamic, ops, { body: { evidence, confidence: 0.95 } });
      const second = await user.patched(dynamic, [add('/preferences/-', 'x')], { body: { reason: 'compaction' } });
      const [newest, oldest] = await user.versions(dynamic);
      expect(newest).toEqual({
        version: 2,
        etag: second.etag,
        pre_etag: first.etag,
        at: second.document.updated_at,
        actor: { user_id: user.user, service_id: null, roles: [] },
        profile_id: 'project-copilot-v1',
        binding_id: 'user_dynamic',
        reason: 'compaction',
        ops: [add('/preferences/-', 'x')],
        evidence: null,
        confidence: null,
        redirected: false,
        request_id: expect.any(String),
      });
      expect(oldest).toMatchObject({
        version: 1,
        pre_etag: null,
        ops,
        evidence,
        confidence: 0.95,
        reason: 'live_update',
      });
    });

    it('returns the document at any moment, over many versions', async () => {
      const user = await newUser();
      const answers = [];
      for (let count = 0; count < 70; count++) {
        answers.push(await user.patched(project, [add('/summary', `version ${count}`)]));
      }
      for (const { etag, document } of [...answers.slice(0, 3), ...answers.slice(30, 35), ...answers.slice(60)]) {
        const then = await user.get(project, { tail: `?at=${document.updated_at}` });
        expect(then.body).toEqual({ etag, document });
      }
      const before = new Date(Date.parse(answers[0].document.updated_at) - 1).toISOString();
      expectProblem(await user.get(project, { tail: `?at=${before}` }), 'DOCUMENT_NOT_FOUND');
      const between = new Date(Date.parse(answers[40].document.updated_at) + 0.5).toISOString();
      expect((await user.get(project, { tail: `?at=${between}` })).body.etag).toBe(answers[40].etag);
      const later = await user.get(project, { tail: '?at=2999-01-01T00:00:00%2B01:00' });
      expect(later.body.etag).toBe(answers[69].etag);
      expect((await user.get(project, { tail: `?at=${before}`.replace('at', 'when') })).status).toBe(400);
      const seen: number[] = [];
      let query = '?limit=30';
      do {
        const { body } = await user.get(project, { tail: `/history${query}` });
        seen.push(...body.versions.map(({ version }: { version: number }) => version));
        query = body.next_cursor === undefined ? '' : `?limit=30&cursor=${body.next_cursor}`;
      } while (query !== '');
      expect(seen).toEqual(Array.from({ length: 70 }, (_, index) => 70 - index));
    });

    it.each(['yesterday', '2026', '2026-02-14', '2026-02-14T20:00:00', '2026-02-30T00:00:00Z', '%00'])(
      'rejects ?at=%s',
      async (at) => {
        const user = await newUser();
        await user.patched(dynamic, []);
        expectProblem(await user.get(dynamic, { tail: `?at=${at}` }), 'INVALID_REQUEST');
      },
    );
  });

  describe('a legacy path', () => {
    const binding = { namespace: 'projects', schema_id: 'memory.project', schema_version: '1.0.0' };
    const profile = {
      document_bindings: [
        { ...binding, binding_id: 'old', path_template: 'v1-{id}.json' },
        { ...binding, binding_id: 'new', path_template: 'v2/{id}.json', legacy_paths: ['v1-{id}.json'] },
      ],
      writable_path_rules: { old: ['/summary'], new: ['/summary'] },
    };
    const through = (binding_id: string, headers = {}) => ({ body: { profile_id: 'moving', binding_id }, headers });

    it('serves the document until it is first written at its new path', async () => {
      const user = await DocumentUser.of(server(), { tenant: 'movers' });
      await register(server(), 'movers', 'moving', profile);
      const old = await user.patched('projects/v1-a.json', [add('/summary', 'old')], through('old'));
      const read = await user.get('projects/v2/a.json');
      expect(read.body).toEqual({ etag: old.etag, document: old.document, migrated_from: 'projects/v1-a.json' });
      const then = await user.get('projects/v2/a.json', { tail: `?at=${old.document.updated_at}` });
      expect(then.body).toEqual(read.body);
      expectProblem(await user.get('projects/v2/b.json'), 'DOCUMENT_NOT_FOUND');
      const created = { 'if-match': undefined, 'if-none-match': '*' };
      expectProblem(await user.patch('projects/v2/a.json', [], through('new', created)), 'ETAG_MISMATCH');
      await sleep(2);
      const test = { op: 'test', path: '/content/summary', value: 'old' };
      const ops = [test, { op: 'replace', path: '/content/summary', value: 'new' }];
      const moved = await user.patched('projects/v2/a.json', ops, through('new', { 'if-match': old.etag }));
      expect(moved.document).toMatchObject({ doc_id: old.document.doc_id, created_at: old.document.created_at });
      expect(moved.document.content.summary).toBe('new');
      expect((await user.get('projects/v2/a.json')).body).toEqual({ etag: moved.etag, document: moved.document });
      expect((await user.get('projects/v1-a.json')).body.document).toEqual(old.document);
      const before = await user.get('projects/v2/a.json', { tail: `?at=${old.document.updated_at}` });
      expect(before.body).toEqual(read.body);
      expect((await user.versions('projects/v2/a.json')).map(({ version }) => version)).toEqual([1]);
    });
  });
});
