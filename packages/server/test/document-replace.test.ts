import { beforeAll, expect, it } from 'vitest';
import { describeOneDatabase } from './support/databases.js';
import { DocumentUser, dynamic, fact, register, type Sending } from './support/document-user.js';
import { add } from './support/documents.js';
import { expectProblem } from './support/expect-problem.js';
import { useServer } from './support/server.js';

const schema = { type: 'object', properties: { list: { type: 'array' } } };
const binding = { namespace: 'n', schema_id: 's', schema_version: '1' };
const profile = {
  document_bindings: [
    {
      ...binding,
      binding_id: 'free',
      path: 'free.json',
      write_mode: 'replace_allowed',
      deny_paths: ['/kept'],
      max_chars: 200,
    },
    { ...binding, binding_id: 'shown', path: 'shown.json', write_mode: 'read_only' },
  ],
  confidence_rules: { min_confidence_for_auto_apply: 0.5, on_low_confidence: 'pending' },
  compaction_rules: { free: { max_list: 2 } },
  sections: { durable_facts: '/facts', pending: '/asked' },
};
const through = (binding_id: string, more: Partial<Sending> = {}): Sending => ({
  ...more,
  body: { profile_id: 'p', binding_id, ...more.body },
});

describeOneDatabase('replacing a document', (database) => {
  const server = useServer(database);
  beforeAll(() => register(server(), 'replacing', 'p', profile, { 's/1': schema }));
  const newUser = () => DocumentUser.of(server(), { tenant: 'replacing' });
  const adminOf = (user: DocumentUser) => user.token({ user: 'boss', roles: ['admin'] });

  it('is allowed to admins for every binding and is audited as a migration', async () => {
    const user = await newUser();
    const token = await adminOf(user);
    for (const [place, binding_id] of [
      ['n/shown.json', 'shown'],
      ['n/free.json', 'free'],
    ] as const) {
      const made = await user.put(place, { kept: 1 }, { ...through(binding_id), token });
      expect([made.status, made.headers.get('etag')]).toEqual([200, made.body.etag]);
      expect(made.body).toMatchObject({
        idempotency_replay: false,
        document: { updated_by: 'boss', content: { kept: 1 } },
      });
      const again = await user.put(
        place,
        { kept: 2 },
        { ...through(binding_id), token, headers: { 'if-match': made.body.etag } },
      );
      expect(again.body.document).toMatchObject({
        doc_id: made.body.document.doc_id,
        created_at: made.body.document.created_at,
        content: { kept: 2 },
      });
      const versions = await user.versions(place);
      expect(versions.map(({ reason, actor }) => [reason, actor.roles])).toEqual(
        Array(2).fill(['admin_migration', ['admin']]),
      );
      expect(versions[0].ops).toEqual([{ op: 'replace', path: '/content', value: { kept: 2 } }]);
    }
  });

  it('has the reason admin_migration only for admins', async () => {
    const user = await newUser();
    const body = { reason: 'admin_migration' };
    const service = await user.token({ user: 'robot', roles: ['service'] });
    const admin = await user.token({ user: 'boss', roles: ['admin'] });
    for (const sending of [{}, { token: service }]) {
      expectProblem(await user.put('n/free.json', {}, through('free', { ...sending, body })), 'FORBIDDEN');
      expectProblem(await user.patch(dynamic, [], { ...sending, body }), 'FORBIDDEN');
    }
    expect((await user.put('n/free.json', {}, through('free', { token: admin, body }))).status).toBe(200);
  });

  it('is allowed to other callers only if the binding allows it', async () => {
    const user = await newUser();
    const service = await user.token({ user: 'robot', roles: ['service'] });
    for (const token of [undefined, service]) {
      const sending = token === undefined ? {} : { token };
      expectProblem(await user.put('n/shown.json', {}, through('shown', sending)), 'WRITE_NOT_ALLOWED');
      expectProblem(await user.put(dynamic, {}, sending), 'REPLACE_NOT_ALLOWED');
      expect((await user.put('n/free.json', { list: [1] }, through('free', sending))).status).toBe(200);
    }
    const token = await adminOf(user);
    expectProblem(await user.patch('n/shown.json', [], through('shown', { token })), 'WRITE_NOT_ALLOWED');
  });

  it('ignores the envelope, but rejects a different schema', async () => {
    const user = await newUser();
    const document = {
      doc_id: 'mine',
      schema_id: 's',
      schema_version: '1',
      created_at: 'never',
      updated_at: 7,
      updated_by: null,
      content: { list: [] },
    };
    const made = await user.put('n/free.json', undefined, through('free', { body: { document } }));
    expect(made.body.document).toMatchObject({ content: { list: [] }, updated_by: user.user });
    expect(made.body.document.doc_id).not.toBe('mine');
    for (const wrong of [{ schema_id: 't' }, { schema_version: '2' }]) {
      const body = { document: { ...document, ...wrong } };
      const refused = await user.put('n/free.json', undefined, through('free', { body }));
      expectProblem(refused, 'SCHEMA_VALIDATION_FAILED');
      expect(refused.body.error.details).toEqual({ schema_id: 's', schema_version: '1' });
    }
    for (const [body, code] of [
      [{ document: { ...document, color: 1 } }, 'UNKNOWN_FIELD'],
      [{ document: { content: [] } }, 'INVALID_REQUEST'],
      [{ document: {} }, 'INVALID_REQUEST'],
      [{ document: { content: {} }, ops: [] }, 'UNKNOWN_FIELD'],
    ] as const) {
      expectProblem(await user.put('n/free.json', undefined, through('free', { body })), code);
    }
  });

  it('is checked like a patch: preconditions, schema and limits', async () => {
    const user = await newUser();
    const put = (content: unknown, headers = {}) => user.put('n/free.json', content, through('free', { headers }));
    expectProblem(await put({}, { 'if-match': undefined }), 'MISSING_IF_MATCH');
    expectProblem(await put({}, { 'idempotency-key': undefined }), 'MISSING_IDEMPOTENCY_KEY');
    const { body } = await put({}, { 'if-match': undefined, 'if-none-match': '*' });
    expectProblem(await put({ a: 1 }, { 'if-match': '"stale"' }), 'ETAG_MISMATCH');
    expectProblem(await put({ list: 'text' }), 'SCHEMA_VALIDATION_FAILED');
    expectProblem(await put({ list: [1, 2, 3] }), 'ARRAY_LIMIT_EXCEEDED');
    expectProblem(await put({ text: 'x'.repeat(200) }), 'DOCUMENT_SIZE_EXCEEDED');
    expect((await put({})).body.etag).toBe(body.etag);
    expect(await user.versions('n/free.json')).toHaveLength(1);
  });

  it('keeps denied paths and the confidence rules in force for callers other than admins', async () => {
    const user = await newUser();
    const put = (content: unknown, body = {}) => user.put('n/free.json', content, through('free', { body }));
    expectProblem(await put({ kept: 1 }), 'PATH_NOT_WRITABLE');
    const token = await adminOf(user);
    await user.put('n/free.json', { kept: { a: 1 } }, through('free', { token }));
    for (const content of [{}, { kept: { a: 2 } }, { kept: null }])
      expectProblem(await put(content), 'PATH_NOT_WRITABLE');
    expect((await put({ kept: { a: 1 }, list: [] })).status).toBe(200);
    const unsure = await put({ kept: { a: 1 } }, { confidence: 0.4 });
    expectProblem(unsure, 'CONFIDENCE_TOO_LOW');
    expectProblem(await put({ kept: { a: 1 }, facts: [{ text: 'x' }] }), 'EVIDENCE_REQUIRED');
    expect((await put({ kept: { a: 1 }, facts: [fact('x')] })).status).toBe(200);
  });

  it('continues the version history of patches, and patches continue its own', async () => {
    const user = await newUser();
    const token = await adminOf(user);
    const { etag } = await user.patched(dynamic, [add('/preferences/-', 'a')]);
    const put = await user.put(dynamic, { preferences: ['b'] }, { token, headers: { 'if-match': etag } });
    const last = await user.patched(dynamic, [add('/preferences/-', 'c')], { headers: { 'if-match': put.body.etag } });
    expect(last.document.content).toEqual({ preferences: ['b', 'c'] });
    const then = await user.get(dynamic, { tail: `?at=${put.body.document.updated_at}` });
    expect(then.body).toEqual({ etag: put.body.etag, document: put.body.document });
  });
});
