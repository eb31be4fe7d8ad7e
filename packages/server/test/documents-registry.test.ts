import { describe, expect, it } from 'vitest';
import { describeOneDatabase } from './support/databases.js';
import { DocumentUser, register } from './support/document-user.js';
import { add } from './support/documents.js';
import { expectProblem } from './support/expect-problem.js';
import { type Answer, useServer } from './support/server.js';

let tenantNumber = 0;

const names = (count: number) => Array.from({ length: count }, (_, index) => `f${index}`);
const members = (count: number, value: unknown) => Object.fromEntries(names(count).map((name) => [name, value]));

describeOneDatabase('the schema registry', (database) => {
  const server = useServer(database);

  /** Creates a tenant with an admin. */
  async function newTenant() {
    tenantNumber += 1;
    const tenant = `schemas-${tenantNumber}`;
    const token = await server().token({ tenant, user: 'boss', roles: ['admin'] });
    const call = (method: string, path: string, body?: unknown, own = token): Promise<Answer> =>
      server().call({ method, path: `/v1/tenants/${tenant}/schemas${path}`, body, token: own });
    const put = (path: string, schema: unknown, more: object = {}) => call('PUT', path, { schema, ...more });
    return { tenant, token, call, put };
  }

  it('registers a version permanently', async () => {
    const { put, call } = await newTenant();
    const schema = { type: 'object', properties: { b: { type: 'string' }, a: { type: 'number' } } };
    const first = await put('/notes/1.0.0', schema, { migration: { from: '0.9.0' } });
    expect(first.status).toBe(201);
    expect(first.body).toEqual({
      schema_id: 'notes',
      version: '1.0.0',
      schema,
      migration: { from: '0.9.0' },
      created_at: expect.stringMatching(/Z$/),
    });
    const sameAgain = { properties: { a: { type: 'number' }, b: { type: 'string' } }, type: 'object' };
    const again = await put('/notes/1.0.0', sameAgain, { migration: { from: '0.9.0' } });
    expect([again.status, again.body]).toEqual([200, first.body]);
    expectProblem(await put('/notes/1.0.0', schema), 'SCHEMA_VERSION_EXISTS');
    expectProblem(await put('/notes/1.0.0', true, { migration: { from: '0.9.0' } }), 'SCHEMA_VERSION_EXISTS');
    expect((await put('/notes/1.0.1', schema)).status).toBe(201);
    expect((await call('GET', '/notes/1.0.0')).body).toEqual(first.body);
    expectProblem(await call('GET', '/notes/2.0.0'), 'NOT_FOUND');
  });

  it('lets exactly one of many concurrent registrations of a version succeed', async () => {
    const { put } = await newTenant();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => put('/raced/1', { maxProperties: index })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
  });

  it('has the schemas of the starter and does not let a tenant replace them', async () => {
    const { put, call } = await newTenant();
    const starter = await call('GET', '/memory.project/1.0.0');
    expect(starter.status).toBe(200);
    expect((await put('/memory.project/1.0.0', starter.body.schema)).status).toBe(200);
    expectProblem(await put('/memory.project/1.0.0', { type: 'object' }), 'SCHEMA_VERSION_EXISTS');
    expect((await put('/memory.project/1.1.0', { type: 'object' })).status).toBe(201);
  });

  it('lists all schemas by id and version, page by page', async () => {
    const { put, call } = await newTenant();
    for (const id of ['zoo/1', 'alpha/2', 'alpha/1', 'memory.project/0.9']) await put(`/${id}`, { type: 'object' });
    const seen: string[] = [];
    let query = '?limit=3';
    do {
      const { status, body } = await call('GET', `/${query}`.replace('/?', '?'));
      expect(status).toBe(200);
      expect(body.schemas.length).toBeLessThanOrEqual(3);
      for (const { schema_id, version } of body.schemas) seen.push(`${schema_id}/${version}`);
      query = body.next_cursor === undefined ? '' : `?limit=3&cursor=${body.next_cursor}`;
    } while (query !== '');
    expect(seen).toEqual([
      'alpha/1',
      'alpha/2',
      'memory.project/0.9',
      'memory.project/1.0.0',
      'memory.user.dynamic/1.0.0',
      'memory.user.static/1.0.0',
      'zoo/1',
    ]);
  });

  it.each([
    ['text', 'object'],
    ['null', null],
    ['a list', []],
    ['an unknown type', { type: 'objekt' }],
    ['a keyword of the wrong type', { required: 'a' }],
    ['draft 07', { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' }],
    ['a reference into the network', { $ref: 'https://example.com/schema.json' }],
    ['a reference to nothing', { $ref: '#/$defs/missing' }],
    ['a reference to another schema', { $ref: 'memory.project' }],
    ['an asynchronous schema', { $async: true, type: 'object' }],
    ['an asynchronous part', { properties: { a: { $async: true, type: 'string' } } }],
    ['the id of the meta schema', { $id: 'https://json-schema.org/draft/2020-12/schema', type: 'object' }],
    ['look-ahead', { properties: { a: { pattern: '^(?=a)b' } } }],
    ['a back reference', { properties: { a: { pattern: '(a)\\1' } } }],
    ['no expression', { patternProperties: { '(': {} } }],
    ['a pattern of a million steps', { properties: { a: { pattern: 'a{0,1000}'.repeat(1000) } } }],
    ['a reference to itself', { $ref: '#' }],
    ['25,000 members', { properties: members(25_000, {}) }],
    ['50,000 values', { properties: { a: { enum: names(50_000) } } }],
    ['a long text', { description: 'x'.repeat(300_000) }],
    ['many large patterns', { anyOf: names(30).map(() => ({ pattern: 'a{0,1000}' })) }],
    ['a circle', { $ref: '#/$defs/a', $defs: { a: { allOf: [{ $ref: '#/$defs/b' }] }, b: { $ref: '#/$defs/a' } } }],
  ])('rejects %s', async (_name, schema) => {
    const { put, call } = await newTenant();
    const answer = await put('/bad/1', schema);
    expectProblem(answer, 'INVALID_SCHEMA');
    expect(answer.body.error.details.reason).toMatch(/./);
    expectProblem(await call('GET', '/bad/1'), 'NOT_FOUND');
  });

  it('is writable by admins of the tenant and readable by its users', async () => {
    const { tenant, call } = await newTenant();
    const body = { schema: { const: 'secret' } };
    const user = await server().token({ tenant, user: 'u1' });
    const service = await server().token({ tenant, roles: ['service'] });
    const stranger = await server().token({ tenant: `${tenant}0`, roles: ['admin'] });
    const operator = await server().token({ tenant, roles: ['operator'] });
    for (const token of [user, service, stranger, operator]) {
      expectProblem(await call('PUT', '/own/1', body, token), 'FORBIDDEN');
    }
    expect((await call('PUT', '/own/1', body)).status).toBe(201);
    for (const token of [user, service])
      expect((await call('GET', '/own/1', undefined, token)).body).toMatchObject(body);
    for (const token of [stranger, operator]) {
      expectProblem(await call('GET', '/own/1', undefined, token), 'FORBIDDEN');
      expectProblem(await call('GET', '', undefined, token), 'FORBIDDEN');
    }
    const theirs = { path: `/v1/tenants/${tenant}0/schemas`, token: stranger };
    expectProblem(await server().call({ ...theirs, path: `${theirs.path}/own/1` }), 'NOT_FOUND');
    expect(JSON.stringify((await server().call(theirs)).body)).not.toContain('own');
  });

  it.each([
    [{}, 'INVALID_REQUEST'],
    [{ schema: {}, title: 'x' }, 'UNKNOWN_FIELD'],
    [[], 'INVALID_REQUEST'],
  ] as const)('rejects the body %j', async (body, code) => {
    const { call } = await newTenant();
    expectProblem(await call('PUT', '/x/1', body), code);
  });
});

describeOneDatabase('schema validation', (database) => {
  const server = useServer(database);

  /** Patches a new document that has the given schema, and returns the response. */
  async function tryContent(schema: unknown, value: unknown): Promise<Answer> {
    tenantNumber += 1;
    const tenant = `work-${tenantNumber}`;
    const binding = { binding_id: 'b', namespace: 'n', path: 'd.json', schema_id: 's', schema_version: '1' };
    const profile = { document_bindings: [binding], writable_path_rules: { b: ['/a'] } };
    await register(server(), tenant, 'p', profile, { 's/1': schema });
    const user = await DocumentUser.of(server(), { tenant });
    return user.patch('n/d.json', [add('/a', value)], { body: { profile_id: 'p', binding_id: 'b' } });
  }
  const ofA = (schema: unknown) => ({ type: 'object', properties: { a: schema } });

  describe('of patterns checks each one separately', () => {
    const schema = ofA({
      type: 'array',
      prefixItems: [{ pattern: '^b+$' }, { pattern: '^\\d{4}$' }, { pattern: 'é' }],
    });
    it.each([
      [['bbb', '2026', 'café'], 200],
      [['x', '2026', 'café'], 422],
      [['bbb', '26', 'café'], 422],
      [['bbb', '2026', 'cafe'], 422],
    ])('%j → %d', async (value, status) => {
      expect((await tryContent(schema, value)).status).toBe(status);
    });
  });

  it.each([
    ['names of members', { patternProperties: { '^x-': { type: 'number' } } }, { 'x-a': 'text' }, 'type'],
    ['formats', { format: 'date-time' }, 'yesterday', 'format'],
    ['inherited names', { required: ['toString'] }, {}, 'required'],
    [
      'equal items in another order of members',
      { uniqueItems: true },
      [
        { a: 1, b: [2] },
        { b: [2], a: 1 },
      ],
      'uniqueItems',
    ],
    ['parts of itself', { items: { $ref: '#/properties/a' }, type: 'array' }, [[['x']]], 'type'],
  ])('checks %s', async (_name, schema, value, rule) => {
    const answer = await tryContent(ofA(schema), value);
    expectProblem(answer, 'SCHEMA_VALIDATION_FAILED');
    expect(answer.body.error.details.faults).toContainEqual(expect.objectContaining({ rule }));
  });

  it.each([
    ['members called like inherited ones', { properties: { constructor: { type: 'string' } } }, {}],
    ['different items', { uniqueItems: true }, [1, '1', [1], { a: 1 }, { a: 2 }, null]],
    ['trees', { items: { $ref: '#/properties/a' }, type: 'array' }, [[[], []], []]],
  ])('accepts %s', async (_name, schema, value) => {
    expect((await tryContent(ofA(schema), value)).status).toBe(200);
  });

  const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) });
  it.each([
    ['an expression that backtracks', ofA({ pattern: '^(a+)+$' }), `${'a'.repeat(50_000)}!`],
    ['an expression with many states', ofA({ pattern: `${'\\p{L}{900}'.repeat(3)}\\d` }), 'é'.repeat(400_000)],
    ['two ways down at every level', { ...ofA({ anyOf: [{ $ref: '#' }, { $ref: '#' }] }), type: 'object' }, nested(55)],
    ['a loop behind a member', { ...ofA({ $ref: '#/$defs/x' }), $defs: { x: { not: { $ref: '#/$defs/x' } } } }, 1],
    [
      '100,000 items to be told apart',
      ofA({ uniqueItems: true, maxItems: 1 }),
      Array.from({ length: 100_000 }, (_, n) => n),
    ],
    ['URLs of many parts', ofA({ format: 'url' }), `http://${':'.repeat(300_000)}`],
    [
      'faults of alternatives',
      ofA({ anyOf: [{ items: { required: names(40) } }, { maxItems: 1 }] }),
      Array.from({ length: 99_000 }, () => ({})),
    ],
  ])('is not stalled by %s', async (_name, schema, value) => {
    expectProblem(await tryContent(schema, value), 'SCHEMA_VALIDATION_FAILED');
  });

  it.each([
    ['5,000 required names', 5000, 5000],
    ['40 required names and a large document', 40, 99_000],
  ])('stops at the first faults, with %s', async (_name, required, items) => {
    const content = Array.from({ length: items }, () => ({}));
    const answer = await tryContent(ofA({ items: { required: names(required) } }), content);
    expectProblem(answer, 'SCHEMA_VALIDATION_FAILED');
    const faults = names(20).map((name) => ({
      pointer: '/content/a/0',
      rule: 'required',
      message: `must have required property '${name}'`,
    }));
    expect(answer.body.error.details).toMatchObject({ faults, fault_count: 20 });
  });

  it('accepts large documents of large schemas', async () => {
    const schema = ofA({ items: { enum: names(9000) } });
    const items = Array.from({ length: 50_000 }, (_, index) => `f${index % 9000}`);
    expect((await tryContent(schema, items)).status).toBe(200);
    const answer = await tryContent(schema, [...items, 'f9000']);
    expect(answer.body.error.details.faults).toMatchObject([{ pointer: '/content/a/50000', rule: 'enum' }]);
  });

  it('compares objects with members that are called like methods', async () => {
    const answer = await tryContent(ofA({ const: { b: 1 } }), { toString: 1 });
    expectProblem(answer, 'SCHEMA_VALIDATION_FAILED');
  });
});
