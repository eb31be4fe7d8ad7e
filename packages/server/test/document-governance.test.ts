import { describe, expect, it } from 'vitest';
import { describeOneDatabase } from './support/databases.js';
import { DocumentUser, dynamic, fact, project, register, type Sending } from './support/document-user.js';
import { add } from './support/documents.js';
import { expectProblem } from './support/expect-problem.js';
import { useServer } from './support/server.js';

const open = { type: 'object' };
const place = 'kitchen/book.json';
const binding = {
  binding_id: 'book',
  namespace: 'kitchen',
  path: 'book.json',
  schema_id: 'open',
  schema_version: '1',
};
let tenantNumber = 0;

describeOneDatabase('a profile', (database) => {
  const server = useServer(database);

  /** Creates a user in a tenant whose only profile has one binding. `patch` writes through that binding. */
  async function under(own: object, rules: unknown[], profile: object = {}, schema: unknown = open) {
    tenantNumber += 1;
    const tenant = `governed-${tenantNumber}`;
    const whole = { document_bindings: [{ ...binding, ...own }], writable_path_rules: { book: rules }, ...profile };
    await register(server(), tenant, 'cook', whole, { 'open/1': schema });
    const user = await DocumentUser.of(server(), { tenant });
    const through = (body: object = {}): Sending => ({ body: { profile_id: 'cook', binding_id: 'book', ...body } });
    return { user, patch: (ops: unknown[], body = {}) => user.patch(place, ops, through(body)), through };
  }

  describe('paths', () => {
    it('are writable by whole segments, including everything below them', async () => {
      const initial = { prefs: {}, prefs2: {}, 'a/b': {}, a: { b: {} } };
      const { user, patch } = await under({ initial }, ['/prefs', '/a~1b', { path: '/deep/er' }]);
      for (const path of ['/prefs', '/prefs/x', '/prefs/x', '/a~1b/c', '/a~1b']) {
        expect((await patch([add(path, {})])).status, path).toBe(200);
      }
      for (const path of [
        '/prefs2',
        '/prefs2/x',
        '/pref',
        '/Prefs',
        '/a/b',
        '/a',
        '/deep',
        '',
        '/',
        '/prefs~1x',
        '/-',
      ]) {
        const refused = await patch([add(path, {})]);
        expectProblem(refused, 'PATH_NOT_WRITABLE');
        expect(refused.body.error.details).toMatchObject({ index: 0, path: `/content${path}`, binding_id: 'book' });
      }
      expectProblem(await patch([add('/deep/er', 1)]), 'PATCH_APPLY_FAILED');
      expect(await user.versions(place)).toHaveLength(4);
    });

    it('are closed without a rule and all open with an empty rule', async () => {
      const closed = await under({}, []);
      expectProblem(await closed.patch([add('/x', 1)]), 'PATH_NOT_WRITABLE');
      const wide = await under({}, ['']);
      expect((await wide.patch([add('/x', 1), { op: 'replace', path: '/content', value: { y: 2 } }])).status).toBe(200);
      expect(await wide.user.content(place)).toEqual({ y: 2 });
      expectProblem(await wide.patch([{ op: 'replace', path: '/content', value: [] }]), 'SCHEMA_VALIDATION_FAILED');
      expectProblem(await wide.patch([{ op: 'remove', path: '/content' }]), 'SCHEMA_VALIDATION_FAILED');
    });

    it('are closed if they, their parents or their children are denied', async () => {
      const initial = { a: { secret: { key: 1 }, open: 1 }, b: {} };
      const { user, patch } = await under({ initial, deny_paths: ['/a/secret', '/b/x~1y'] }, ['']);
      for (const op of [
        add('/a/secret', 2),
        add('/a/secret/key', 2),
        add('/a', {}),
        { op: 'replace', path: '/content', value: {} },
        { op: 'remove', path: '/content/a' },
        { op: 'move', from: '/content/a/secret', path: '/content/b/found' },
        { op: 'move', from: '/content/a', path: '/content/c' },
        { op: 'copy', from: '/content/a/secret/key', path: '/content/b/found' },
        { op: 'copy', from: '/content/a', path: '/content/b/found' },
        { op: 'copy', from: '/content/b', path: '/content/a/secret' },
        add('/b/x~1y', 1),
      ]) {
        expectProblem(await patch([op]), 'PATH_NOT_WRITABLE');
      }
      expect((await patch([add('/a/open', 2), add('/a/secrets', 1), add('/b/x', { y: 1 })])).status).toBe(200);
      const test = { op: 'test', path: '/content/a/secret/key', value: 1 };
      expect((await patch([test, add('/b/z', 1)])).status).toBe(200);
      expect((await user.content(place)).a).toEqual({ secret: { key: 1 }, open: 2, secrets: 1 });
    });

    it('are checked at both ends of a move and a copy', async () => {
      const { patch } = await under({ initial: { mine: { x: 1 }, theirs: { y: 1 } } }, ['/mine']);
      for (const op of ['move', 'copy']) {
        for (const [from, path] of [
          ['/content/theirs/y', '/content/mine/y'],
          ['/content/mine/x', '/content/theirs/x'],
        ]) {
          const refused = await patch([{ op, from, path }]);
          expectProblem(refused, 'PATH_NOT_WRITABLE');
          expect(refused.body.error.details.path).toMatch(/^\/content\/theirs/);
        }
        expect(
          (await patch([{ op, from: '/content/mine/x', path: '/content/mine/z' }, add('/mine/x', 1)])).status,
        ).toBe(200);
      }
    });
  });

  describe('confidence', () => {
    const rules = { min_confidence_for_durable_fact: 0.8, min_confidence_for_auto_apply: 0.7 };
    const sections = { durable_facts: '/known', pending: '/asked' };
    const known = (text: string, more = {}) => add('/known/-', fact(text, more));
    const initial = { known: [], asked: [], tips: [] };
    const gated = (more: object = {}) =>
      under({ initial }, [''], { confidence_rules: { ...rules, ...more }, sections });

    it('must reach the minimum of the profile if it is given', async () => {
      const { user, patch } = await gated();
      expect((await patch([add('/tips/-', 'a')])).status).toBe(200);
      expect((await patch([add('/tips/-', 'b')], { confidence: 0.7 })).status).toBe(200);
      expectProblem(await patch([add('/tips/-', 'c')], { confidence: 0.69 }), 'CONFIDENCE_TOO_LOW');
      expect((await patch([known('a')], { confidence: 0.8 })).status).toBe(200);
      for (const ops of [
        [known('b')],
        [add('/known', [fact('b')])],
        [{ op: 'replace', path: '/content/known/0', value: fact('b') }],
        [{ op: 'replace', path: '/content/known/0/text', value: 'b' }],
        [{ op: 'remove', path: '/content/known/0' }],
        [{ op: 'move', from: '/content/known/0', path: '/content/asked/0' }],
        [add('/asked/-', fact('b')), { op: 'move', from: '/content/asked/0', path: '/content/known/0' }],
        [add('/asked/-', fact('b')), { op: 'copy', from: '/content/asked/0', path: '/content/known/-' }],
        [{ op: 'replace', path: '/content', value: { ...initial, known: [fact('b')] } }],
      ]) {
        const refused = await patch(ops, { confidence: 0.75 });
        expectProblem(refused, 'CONFIDENCE_TOO_LOW');
        expect(refused.body.error.details).toEqual({ confidence: 0.75, min_confidence: 0.8 });
      }
      expectProblem(await patch([known('b', { confidence: 0.5 })]), 'CONFIDENCE_TOO_LOW');
      expect((await user.content(place)).known).toEqual([fact('a')]);
    });

    it('turns a write into a pending confirmation if it is too low and the profile allows it', async () => {
      const { user, patch } = await gated({ on_low_confidence: 'pending' });
      const evidence = { message_ids: ['m9'] };
      const first = await patch([known('likes leeks', { expires_at: '2030-01-01T00:00:00Z' })], {
        confidence: 0.75,
        evidence,
      });
      expect(first.body).toMatchObject({ redirected: true, idempotency_replay: false });
      const asked = { confidence: 0.75, last_verified_at: first.body.document.updated_at };
      expect(first.body.document.content).toEqual({
        ...initial,
        asked: [
          { ...asked, text: 'likes leeks', evidence: { message_ids: ['m1'] }, expires_at: '2030-01-01T00:00:00Z' },
        ],
      });
      const second = await patch([add('/tips', ['salt', 'oil']), add('/mood', { x: 1 })], {
        confidence: 0.1,
        evidence,
      });
      expect(second.body.document.content.asked.slice(1)).toEqual(
        ['salt', 'oil', '{"x":1}'].map((text) => ({
          text,
          confidence: 0.1,
          evidence,
          last_verified_at: second.body.document.updated_at,
        })),
      );
      const [newest] = await user.versions(place);
      expect(newest.redirected).toBe(true);
      expect(newest.ops.map(({ path }: { path: string }) => path)).toEqual(Array(3).fill('/content/asked/-'));
      const removal = [{ op: 'remove', path: '/content/asked/0' }];
      expectProblem(await patch(removal, { confidence: 0.1 }), 'CONFIDENCE_TOO_LOW');
      expect((await patch([add('/tips/-', 'x')], { confidence: 0.9 })).body).not.toHaveProperty('redirected');
    });

    it('creates the list of pending confirmations if it is missing, and fails if the schema forbids it', async () => {
      const pending = { ...rules, on_low_confidence: 'pending' };
      const fresh = await under({ initial: { tips: [] } }, ['/tips'], { confidence_rules: pending, sections });
      const made = await fresh.patch([add('/tips/-', 'x')], { confidence: 0.2 });
      expect(made.body.document.content).toMatchObject({ tips: [], asked: [{ text: 'x' }] });
      const strict = { type: 'object', properties: { tips: { type: 'array' } }, additionalProperties: false };
      const narrow = await under({ initial: { tips: [] } }, ['/tips'], { confidence_rules: pending, sections }, strict);
      const refused = await narrow.patch([add('/tips/-', 'x')], { confidence: 0.2 });
      expectProblem(refused, 'CONFIDENCE_TOO_LOW');
      expect(refused.body.error.details).toEqual({ confidence: 0.2, min_confidence: 0.7 });
      const full = await under({ initial }, [''], {
        confidence_rules: pending,
        sections,
        compaction_rules: { book: { max_asked: 1 } },
      });
      const many = await full.patch([add('/tips', ['a', 'b'])], { confidence: 0.2 });
      expectProblem(many, 'ARRAY_LIMIT_EXCEEDED');
    });

    it('is required with evidence on every replay, whatever the profile says', async () => {
      const { patch } = await under({}, ['']);
      const replay = { reason: 'replay_update', evidence: { snapshot_uri: 'x' }, confidence: 0.1 };
      expect((await patch([add('/x', 1)], replay)).status).toBe(200);
      expectProblem(await patch([add('/x', 2)], { ...replay, confidence: undefined }), 'CONFIDENCE_TOO_LOW');
      for (const evidence of [undefined, {}, []]) {
        expectProblem(await patch([add('/x', 2)], { ...replay, evidence }), 'EVIDENCE_REQUIRED');
      }
    });
  });

  it('requires evidence for durable facts, in the fact or in the patch', async () => {
    const user = await DocumentUser.of(server());
    const bare = fact('tea', { evidence: {} });
    for (const ops of [
      [add('/durable_facts/-', bare)],
      [add('/durable_facts', [fact('a'), bare])],
      [
        add('/pending_confirmations/-', bare),
        { op: 'move', from: '/content/pending_confirmations/0', path: '/content/durable_facts/0' },
      ],
    ]) {
      expectProblem(await user.patch(dynamic, ops), 'EVIDENCE_REQUIRED');
    }
    await user.patched(dynamic, [add('/durable_facts/-', bare)], { body: { evidence: { message_ids: ['m1'] } } });
    await user.patched(dynamic, [add('/durable_facts/-', fact('milk'))]);
    await user.patched(dynamic, [{ op: 'remove', path: '/content/durable_facts/1' }]);
    const undone = [{ op: 'replace', path: '/content/durable_facts/0/text', value: 'coffee' }];
    expectProblem(await user.patch(dynamic, undone), 'EVIDENCE_REQUIRED');
  });

  it('reports faults without repeating the input', async () => {
    const { patch } = await under(
      {},
      [''],
      {},
      { additionalProperties: { type: 'string', pattern: `^${'a?'.repeat(400)}$` } },
    );
    const names = Array.from({ length: 30 }, (_, index) => `${index}${'x'.repeat(10_000)}`);
    const refused = await patch([
      { op: 'replace', path: '/content', value: Object.fromEntries(names.map((name) => [name, 7])) },
    ]);
    expectProblem(refused, 'SCHEMA_VALIDATION_FAILED');
    expect(refused.body.error.details).toMatchObject({ fault_count: 20, faults: { length: 20 } });
    expect(JSON.stringify(refused.body).length).toBeLessThan(10_000);
  });

  describe('limits', () => {
    it('apply to arrays at the exact length, per binding', async () => {
      const user = await DocumentUser.of(server());
      const twelve = Array.from({ length: 12 }, (_, index) => `p${index}`);
      await user.patched(dynamic, [add('/preferences', twelve)]);
      expectProblem(await user.patch(dynamic, [add('/preferences/-', 'x')]), 'ARRAY_LIMIT_EXCEEDED');
      await user.patched(dynamic, [{ op: 'remove', path: '/content/preferences/0' }, add('/preferences/-', 'x')]);
      await user.patched(project, [add('/recent_notes', Array(30).fill('n'))]);
      expectProblem(await user.patch(project, [add('/recent_notes/0', 'n')]), 'ARRAY_LIMIT_EXCEEDED');
    });

    it('apply to the characters of the content as JSON, at the exact size', async () => {
      const { patch } = await under({ max_chars: 20 }, ['']);
      expect((await patch([add('/a', 'x'.repeat(12))])).status).toBe(200);
      expectProblem(await patch([add('/a', 'x'.repeat(13))]), 'DOCUMENT_SIZE_EXCEEDED');
      expectProblem(await patch([add('/a', '"'.repeat(7))]), 'DOCUMENT_SIZE_EXCEEDED');
      expect((await patch([add('/a', 'é'.repeat(12))])).status).toBe(200);
    });

    it('apply to operations, with a default of 100 that a binding can override', async () => {
      const usual = await under({}, ['']);
      expect((await usual.patch(Array(100).fill(add('/a', 1)))).status).toBe(200);
      expectProblem(await usual.patch(Array(101).fill(add('/a', 1))), 'PATCH_TOO_LARGE');
      const wide = await under({ max_ops: 1000 }, ['']);
      expect((await wide.patch(Array(1000).fill(add('/a', 1)))).status).toBe(200);
    });
  });
});
