import { describe, expect, it } from 'vitest';
import { cheapestKind, createTestDatabase, describeOneDatabase } from './support/databases.js';
import { DocumentUser, dynamic, fact, fixed, project, register, type Sending } from './support/document-user.js';
import { add } from './support/documents.js';
import { expectProblem } from './support/expect-problem.js';
import { type Answer, send, startTestServer, useServer } from './support/server.js';

const binding = { namespace: 'n', schema_id: 's', schema_version: '1' };
const profile = {
  document_bindings: [
    { ...binding, binding_id: 'shown', path: 'shown.json', write_mode: 'read_only' },
    { ...binding, binding_id: 'small', path: 'small.json', max_chars: 30, max_ops: 2 },
    { ...binding, binding_id: 'narrow', path: 'narrow.json' },
  ],
  writable_path_rules: { shown: [''], small: [''], narrow: ['/list', '/facts'] },
  compaction_rules: { narrow: { max_list: 2 } },
  confidence_rules: { min_confidence_for_auto_apply: 0.5, min_confidence_for_durable_fact: 0.9 },
  sections: { durable_facts: '/facts' },
};
const schema = {
  type: 'object',
  properties: { list: { type: 'array', items: { type: 'string' } } },
  propertyNames: { maxLength: 10 },
};
const own = (binding_id: string, more: Record<string, unknown> = {}): Sending => ({
  body: { profile_id: 'p', binding_id, ...more },
});

describeOneDatabase('a rejected document request', (database) => {
  const server = useServer(database);
  const tenant = 'errors';

  type Refusal = [code: string, status: number, details: unknown, call: (user: DocumentUser) => Promise<Answer>];
  const refusals: Refusal[] = [
    ['MISSING_IF_MATCH', 400, undefined, (user) => user.patch(dynamic, [], { headers: { 'if-match': undefined } })],
    [
      'MISSING_IDEMPOTENCY_KEY',
      400,
      undefined,
      (user) => user.patch(dynamic, [], { headers: { 'idempotency-key': undefined } }),
    ],
    ['INVALID_PATH', 400, undefined, (user) => user.get('user/a//b')],
    ['UNKNOWN_FIELD', 400, { field: 'color' }, (user) => user.patch(dynamic, [], { body: { color: 1 } })],
    [
      'INVALID_PATCH',
      400,
      { index: 1, member: 'value', reason: expect.any(String) },
      (user) => user.patch(dynamic, [add('/a', 1), { op: 'add', path: '/content/b' }]),
    ],
    [
      'WRITE_NOT_ALLOWED',
      403,
      { binding_id: 'shown', namespace: 'n', path: 'shown.json' },
      (user) => user.patch('n/shown.json', [], own('shown')),
    ],
    [
      'REPLACE_NOT_ALLOWED',
      403,
      { binding_id: 'narrow', namespace: 'n', path: 'narrow.json' },
      (user) => user.put('n/narrow.json', {}, own('narrow')),
    ],
    ['PROFILE_NOT_FOUND', 404, undefined, (user) => user.patch(dynamic, [], { body: { profile_id: 'none' } })],
    ['BINDING_NOT_FOUND', 404, undefined, (user) => user.patch(dynamic, [], { body: { binding_id: 'none' } })],
    ['DOCUMENT_NOT_FOUND', 404, undefined, (user) => user.get(dynamic)],
    ['DOCUMENT_NOT_FOUND', 404, undefined, (user) => user.get(dynamic, { tail: '/history' })],
    [
      'IDEMPOTENCY_CONFLICT',
      409,
      undefined,
      async (user) => {
        await user.patched(dynamic, [], { headers: { 'idempotency-key': 'k' } });
        return user.patch(dynamic, [add('/preferences/-', 'x')], { headers: { 'idempotency-key': 'k' } });
      },
    ],
    [
      'ETAG_MISMATCH',
      412,
      { latest_etag: expect.stringMatching(/^"[\w-]+"$/) },
      async (user) => {
        await user.patched(dynamic, []);
        return user.patch(dynamic, [], { headers: { 'if-match': '"stale"' } });
      },
    ],
    [
      'BINDING_NAMESPACE_MISMATCH',
      422,
      { binding_id: 'user_dynamic', namespace: 'user', path: 'user_dynamic.json' },
      (user) => user.patch(project, [], { body: { binding_id: 'user_dynamic' } }),
    ],
    [
      'BINDING_PATH_MISMATCH',
      422,
      { binding_id: 'user_static', namespace: 'user', path: 'user_static.json' },
      (user) => user.patch(dynamic, [], { body: { binding_id: 'user_static' } }),
    ],
    [
      'PATCH_TOO_LARGE',
      422,
      { operations: 3, max_ops: 2 },
      (user) => user.patch('n/small.json', [add('/a', 1), add('/a', 2), add('/a', 3)], own('small')),
    ],
    [
      'PATH_NOT_WRITABLE',
      422,
      { index: 1, path: '/content/other', binding_id: 'narrow', reason: expect.any(String) },
      (user) => user.patch('n/narrow.json', [add('/list', []), add('/other', 1)], own('narrow')),
    ],
    [
      'PATCH_APPLY_FAILED',
      422,
      { index: 0, op: 'add', path: '/content/preferences/7', reason: expect.any(String) },
      (user) => user.patch(dynamic, [add('/preferences/7', 'x')]),
    ],
    [
      'CONFIDENCE_TOO_LOW',
      422,
      { confidence: 0.4, min_confidence: 0.5 },
      (user) => user.patch('n/narrow.json', [add('/list', ['x'])], own('narrow', { confidence: 0.4 })),
    ],
    [
      'EVIDENCE_REQUIRED',
      422,
      undefined,
      (user) => user.patch(dynamic, [], { body: { reason: 'replay_update', confidence: 0.9 } }),
    ],
    [
      'SCHEMA_VALIDATION_FAILED',
      422,
      {
        schema_id: 's',
        schema_version: '1',
        faults: [
          { pointer: '/content/list/0', rule: 'type', message: 'must be string' },
          { pointer: '/content/list/2', rule: 'type', message: 'must be string' },
        ],
        fault_count: 2,
      },
      (user) => user.patch('n/narrow.json', [add('/list', [1, 'a', {}])], own('narrow')),
    ],
    [
      'DOCUMENT_SIZE_EXCEEDED',
      422,
      { size_chars: 31, max_chars: 30 },
      (user) => user.patch('n/small.json', [add('/a', 'x'.repeat(23))], own('small')),
    ],
    [
      'ARRAY_LIMIT_EXCEEDED',
      422,
      { pointer: '/content/list', length: 3, limit: 2 },
      (user) => user.patch('n/narrow.json', [add('/list', ['a', 'b', 'c'])], own('narrow')),
    ],
  ];

  it.each(refusals)('returns %s with status %d and details %j', async (code, status, details, call) => {
    await register(server(), tenant, 'p', profile, { 's/1': schema });
    const answer = await call(await DocumentUser.of(server(), { tenant }));
    expectProblem(answer, code as never, status);
    expect(answer.body.error.details).toEqual(details);
  });

  it('reports the first of several faults in a fixed order', async () => {
    await register(server(), tenant, 'p', profile, { 's/1': schema });
    const user = await DocumentUser.of(server(), { tenant });
    const { etag } = await user.patched('n/narrow.json', [], own('narrow'));
    await user.patched(fixed, [], { headers: { 'idempotency-key': 'used' } });
    const token = await user.token({});
    const call = {
      path: user.pathOf('user/a//b'),
      token: undefined as string | undefined,
      headers: { 'idempotency-key': 'used' } as Record<string, string>,
    };
    const bad = [add('/list', Array(40).fill(0)), add('/list/99', 0), add('/other', 0)];
    const body: Record<string, unknown> = {
      color: 1,
      profile_id: 'none',
      binding_id: 'none',
      reason: 'live_update',
      ops: 1,
    };
    const steps: [code: string, mend: () => void][] = [
      ['UNAUTHENTICATED', async () => Object.assign(call, { token: await server().token({ tenant, user: 'other' }) })],
      ['FORBIDDEN', () => Object.assign(call, { token })],
      ['UNKNOWN_FIELD', () => Reflect.deleteProperty(body, 'color')],
      ['INVALID_PATCH', () => Object.assign(body, { ops: [...bad, { op: 'none', path: '' }] })],
      ['INVALID_PATH', () => Object.assign(call, { path: user.pathOf('user/x.json') })],
      ['MISSING_IF_MATCH', () => Object.assign(call.headers, { 'if-match': '"stale"' })],
      ['INVALID_PATCH', () => Object.assign(body, { ops: bad, confidence: 0.1 })],
      ['PROFILE_NOT_FOUND', () => Object.assign(body, { profile_id: 'p' })],
      ['BINDING_NOT_FOUND', () => Object.assign(body, { binding_id: 'narrow' })],
      ['BINDING_NAMESPACE_MISMATCH', () => Object.assign(call, { path: user.pathOf('n/x.json') })],
      ['BINDING_PATH_MISMATCH', () => Object.assign(call, { path: user.pathOf('n/narrow.json') })],
      ['IDEMPOTENCY_CONFLICT', () => Object.assign(call.headers, { 'idempotency-key': 'new' })],
      ['ETAG_MISMATCH', () => Object.assign(call.headers, { 'if-match': etag })],
      ['PATH_NOT_WRITABLE', () => Object.assign(body, { ops: bad.slice(0, 2) })],
      ['PATCH_APPLY_FAILED', () => Object.assign(body, { ops: bad.slice(0, 1) })],
      ['CONFIDENCE_TOO_LOW', () => Object.assign(body, { confidence: 0.5 })],
      ['SCHEMA_VALIDATION_FAILED', () => Object.assign(body, { ops: [add('/list', Array(40).fill('x'))] })],
      ['ARRAY_LIMIT_EXCEEDED', () => Object.assign(body, { ops: [add('/list', ['x'])] })],
    ];
    for (const [code, mend] of steps) {
      expectProblem(await send(server().url, { method: 'PATCH', ...call, body } as never), code as never);
      await mend();
    }
    const { status } = await send(server().url, { method: 'PATCH', ...call, body } as never);
    expect(status).toBe(200);
  });

  it.each([
    ['no reason', { reason: undefined }],
    ['another reason', { reason: 'because' }],
    ['no profile', { profile_id: undefined }],
    ['no binding', { binding_id: undefined }],
    ['no operations', { ops: undefined }],
    ['a confidence of 2', { confidence: 2 }],
    ['a confidence in words', { confidence: 'high' }],
    ['evidence in words', { evidence: 'she said so' }],
  ])('returns 400 for a body with %s', async (_name, body) => {
    const user = await DocumentUser.of(server(), { tenant });
    expectProblem(await user.patch(dynamic, [], { body }), 'INVALID_REQUEST');
  });

  it.each([
    ['both conditions', { 'if-none-match': '*' }],
    ['If-None-Match with a tag', { 'if-match': undefined, 'if-none-match': '"x"' }],
    ['a tag without quotes', { 'if-match': 'x' }],
    ['a key with a space', { 'idempotency-key': 'a b' }],
    ['a key of 256 characters', { 'idempotency-key': 'k'.repeat(256) }],
    ['a key outside ASCII', { 'idempotency-key': 'kéy' }],
  ])('returns 400 for headers with %s', async (_name, headers) => {
    const user = await DocumentUser.of(server(), { tenant });
    expectProblem(await user.patch(dynamic, [], { headers }), 'INVALID_REQUEST');
  });

  it('returns 403 to unauthorised callers and 404 for documents of another user', async () => {
    const user = await DocumentUser.of(server(), { tenant });
    await user.patched(dynamic, [add('/durable_facts/-', fact('secret'))]);
    const tokens = [
      await server().token({ tenant, user: 'stranger' }),
      await server().token({ tenant: `${tenant}2`, user: user.user, roles: ['admin'] }),
      await user.token({ roles: ['operator'] }),
    ];
    for (const token of tokens) {
      for (const answer of [
        await user.get(dynamic, { token }),
        await user.get(dynamic, { token, tail: '/history' }),
        await user.patch(dynamic, [], { token }),
        await user.put(dynamic, {}, { token }),
        await server().call({ path: user.pathOfAll(), token }),
      ]) {
        expectProblem(answer, 'FORBIDDEN');
        expect(JSON.stringify(answer.body)).not.toContain('secret');
      }
    }
    const stranger = await DocumentUser.of(server(), { tenant });
    expectProblem(await stranger.get(dynamic), 'DOCUMENT_NOT_FOUND');
    expect((await stranger.list()).body.documents).toEqual([]);
  });
});

describe('a user who writes too much', () => {
  it('gets QUOTA_EXCEEDED with status 429 and a Retry-After header', async () => {
    const database = await createTestDatabase(cheapestKind);
    const server = await startTestServer(database, { quotaUserPerMinute: '3' });
    const user = await DocumentUser.of(server);
    const answers = [];
    for (let count = 0; count < 4; count++) answers.push(await user.patch(dynamic, []));
    expect(answers.slice(0, 3).map(({ status }) => status)).toEqual([200, 200, 200]);
    expectProblem(answers[3], 'QUOTA_EXCEEDED');
    expect(Number(answers[3]?.headers.get('retry-after'))).toBeGreaterThan(0);
    await server.close();
    await database.remove();
  });
});
