import { expect, it } from 'vitest';
import { describeOneDatabase } from './support/databases.js';
import { DocumentUser, dynamic } from './support/document-user.js';
import { add, starterProfile } from './support/documents.js';
import { expectProblem } from './support/expect-problem.js';
import { type Answer, useServer } from './support/server.js';

const binding = {
  binding_id: 'notes',
  namespace: 'desk',
  path: 'notes.json',
  schema_id: 'memory.project',
  schema_version: '1.0.0',
};
const whole = { document_bindings: [binding], writable_path_rules: { notes: ['/summary'] } };
const withBinding = (more: object) => ({ document_bindings: [{ ...binding, ...more }] });
let tenantNumber = 0;

describeOneDatabase('the profile registry', (database) => {
  const server = useServer(database);

  async function newTenant() {
    tenantNumber += 1;
    const tenant = `profiles-${tenantNumber}`;
    const token = await server().token({ tenant, user: 'boss', roles: ['admin'] });
    const call = (method: string, path: string, sending: { body?: unknown; headers?: object; token?: string } = {}) =>
      server().call({ token, ...sending, method, path: `/v1/tenants/${tenant}/profiles${path}` } as never);
    const put = (id: string, body: unknown, headers = {}): Promise<Answer> => call('PUT', `/${id}`, { body, headers });
    return { tenant, call, put, member: await DocumentUser.of(server(), { tenant }) };
  }

  it('has the starter profile for every tenant', async () => {
    const { call } = await newTenant();
    const { status, headers, body } = await call('GET', `/${starterProfile}`);
    expect([status, headers.get('etag')]).toEqual([200, expect.stringMatching(/^"[\w-]{20,}"$/)]);
    expect(body).toMatchObject({
      profile_id: starterProfile,
      writable_path_rules: {
        user_dynamic: ['/preferences', '/durable_facts', '/pending_confirmations', '/projects_index'],
        project_doc: ['/summary', '/facets', '/recent_notes'],
      },
      confidence_rules: { min_confidence_for_durable_fact: 0.8, min_confidence_for_auto_apply: 0.7 },
      retention_rules: { snapshots_days: 60, events_days: 365, audit_days: 365 },
    });
    expect(body.document_bindings.map((one: typeof binding) => [one.binding_id, one.namespace])).toEqual([
      ['user_static', 'user'],
      ['user_dynamic', 'user'],
      ['project_doc', 'projects'],
    ]);
    expect((await call('GET', '')).body).toEqual({ profiles: [body] });
    expectProblem(await call('GET', '/none'), 'PROFILE_NOT_FOUND');
  });

  it('registers and replaces profiles, with ETags derived from their content', async () => {
    const { call, put } = await newTenant();
    const first = await put('desk', whole);
    expect([first.status, first.body]).toEqual([201, { ...whole, profile_id: 'desk' }]);
    const etag = first.headers.get('etag') ?? '';
    expect((await call('GET', '/desk')).headers.get('etag')).toBe(etag);
    const same = await put('desk', { profile_id: 'desk', ...whole }, { 'if-match': etag });
    expect([same.status, same.headers.get('etag')]).toEqual([200, etag]);
    const changed = await put('desk', { ...whole, writable_path_rules: {} }, { 'if-match': etag });
    expect(changed.status).toBe(200);
    const stale = await put('desk', whole, { 'if-match': etag });
    expectProblem(stale, 'ETAG_MISMATCH');
    expect(stale.body.error.details).toEqual({ latest_etag: changed.headers.get('etag') });
    expectProblem(await put('desk', whole, { 'if-none-match': '*' }), 'ETAG_MISMATCH');
    expectProblem(await put('other', whole, { 'if-match': '*' }), 'ETAG_MISMATCH');
    expect((await put('other', whole, { 'if-none-match': '*' })).status).toBe(201);
    const { body } = await call('GET', '');
    expect(body.profiles.map((profile: { profile_id: string }) => profile.profile_id)).toEqual([
      'desk',
      'other',
      starterProfile,
    ]);
  });

  it('lets a tenant override the starter profile with the ETag it was read with', async () => {
    const { call, put, member } = await newTenant();
    const { headers } = await call('GET', `/${starterProfile}`);
    expectProblem(await put(starterProfile, whole, { 'if-none-match': '*' }), 'ETAG_MISMATCH');
    expect((await put(starterProfile, whole, { 'if-match': headers.get('etag') ?? '' })).status).toBe(201);
    expect((await call('GET', '')).body.profiles).toEqual([{ ...whole, profile_id: starterProfile }]);
    expectProblem(await member.patch(dynamic, []), 'BINDING_NOT_FOUND');
    const other = await DocumentUser.of(server(), { tenant: 'another' });
    await other.patched(dynamic, []);
  });

  it('is writable by admins of the tenant and readable by its users', async () => {
    const { tenant, call } = await newTenant();
    const tokens = {
      user: await server().token({ tenant, user: 'u1' }),
      service: await server().token({ tenant, roles: ['service'] }),
      stranger: await server().token({ tenant: 'elsewhere', roles: ['admin'] }),
      operator: await server().token({ tenant, roles: ['operator'] }),
    };
    for (const token of Object.values(tokens)) {
      expectProblem(await call('PUT', '/desk', { body: whole, token }), 'FORBIDDEN');
    }
    expect((await call('PUT', '/desk', { body: whole })).status).toBe(201);
    for (const token of [tokens.user, tokens.service]) expect((await call('GET', '/desk', { token })).status).toBe(200);
    for (const token of [tokens.stranger, tokens.operator]) {
      for (const path of ['', '/desk', '/none']) expectProblem(await call('GET', path, { token }), 'FORBIDDEN');
    }
    const foreign = { path: '/v1/tenants/elsewhere/profiles/desk', token: tokens.stranger };
    expectProblem(await server().call(foreign), 'PROFILE_NOT_FOUND');
  });

  it.each([
    ['no bindings', {}, 'INVALID_REQUEST'],
    ['an empty list of bindings', { document_bindings: [] }, 'INVALID_REQUEST'],
    ['an unknown field', { ...whole, color: 'red' }, 'UNKNOWN_FIELD'],
    ['an unknown field of a binding', withBinding({ color: 'red' }), 'UNKNOWN_FIELD'],
    ['an unknown section', { ...whole, sections: { mood: '/mood' } }, 'UNKNOWN_FIELD'],
    ['another name inside', { ...whole, profile_id: 'desk2' }, 'INVALID_REQUEST'],
    ['a binding twice', { document_bindings: [binding, { ...binding, path: 'b.json' }] }, 'INVALID_REQUEST'],
    ['a path and a template', withBinding({ path_template: '{a}.json' }), 'INVALID_REQUEST'],
    ['neither', { document_bindings: [{ ...binding, path: undefined }] }, 'INVALID_REQUEST'],
    ['a path that climbs', withBinding({ path: '../notes.json' }), 'INVALID_REQUEST'],
    ['an absolute path', withBinding({ path: '/notes.json' }), 'INVALID_REQUEST'],
    ['a path with a variable', withBinding({ path: '{a}.json' }), 'INVALID_REQUEST'],
    ['a legacy path that climbs', withBinding({ legacy_paths: ['a/../b'] }), 'INVALID_REQUEST'],
    ['a template with half a brace', withBinding({ path: undefined, path_template: '{a.json' }), 'INVALID_REQUEST'],
    ['variables without a border', withBinding({ path: undefined, path_template: '{a}{b}' }), 'INVALID_REQUEST'],
    ['three variables', withBinding({ path: undefined, path_template: '{a}/{b}/{c}' }), 'INVALID_REQUEST'],
    ['an unknown write mode', withBinding({ write_mode: 'anything' }), 'INVALID_REQUEST'],
    ['no room at all', withBinding({ max_chars: 0 }), 'INVALID_REQUEST'],
    ['no operations at all', withBinding({ max_ops: 0 }), 'INVALID_REQUEST'],
    ['rules for no binding', { ...whole, writable_path_rules: { other: [] } }, 'INVALID_REQUEST'],
    ['limits for no binding', { ...whole, compaction_rules: { other: { max_a: 1 } } }, 'INVALID_REQUEST'],
    ['a limit called otherwise', { ...whole, compaction_rules: { notes: { a: 1 } } }, 'UNKNOWN_FIELD'],
    ['a rule without a slash', { ...whole, writable_path_rules: { notes: ['summary'] } }, 'INVALID_REQUEST'],
    ['a rule with a bad escape', { ...whole, writable_path_rules: { notes: ['/a~2'] } }, 'INVALID_REQUEST'],
    ['a denial with a bad escape', withBinding({ deny_paths: ['/a~'] }), 'INVALID_REQUEST'],
    ['a confidence above 1', { ...whole, confidence_rules: { min_confidence_for_auto_apply: 2 } }, 'INVALID_REQUEST'],
    ['an unknown schema', withBinding({ schema_id: 'memory.none' }), 'SCHEMA_NOT_FOUND'],
    ['an unknown version', withBinding({ schema_version: '9' }), 'SCHEMA_NOT_FOUND'],
    ['a start that does not fit', withBinding({ initial: { summary: 7 } }), 'SCHEMA_VALIDATION_FAILED'],
  ] as const)('rejects %s', async (_name, profile, code) => {
    const { call, put } = await newTenant();
    expectProblem(await put('desk', profile), code);
    expectProblem(await call('GET', '/desk'), 'PROFILE_NOT_FOUND');
  });

  it.each(['constructor', '__proto__', 'toString', 'with-dash', 'a.b:c@d'])(
    'accepts %s as the name of a binding, of a variable or of a path segment',
    async (name) => {
      const { put, member } = await newTenant();
      const variable = name.replaceAll(/\W/g, '_');
      const bindings = [
        { ...binding, binding_id: name, path: `${name}.json` },
        { ...binding, binding_id: 'many', path: undefined, path_template: `of-{${variable}}/${name}.json` },
        {
          ...binding,
          binding_id: 'old',
          path: undefined,
          path_template: `{${variable}}.new`,
          legacy_paths: [`{${variable}}.old`],
        },
      ];
      const profile = { document_bindings: bindings, writable_path_rules: { many: ['/summary'] } };
      expect((await put('odd', profile)).status).toBe(201);
      const write = (path: string, binding_id: string, ops: unknown[]) =>
        member.patch(`desk/${path}`, ops, { body: { profile_id: 'odd', binding_id } });
      expect((await write(`${name}.json`, name, [])).status).toBe(200);
      expectProblem(await write(`${name}.json`, name, [add('/summary', 'x')]), 'PATH_NOT_WRITABLE');
      expect((await write(`of-x/${name}.json`, 'many', [add('/summary', 'x')])).status).toBe(200);
      expectProblem(await write('x.json', 'many', []), 'BINDING_PATH_MISMATCH');
      expect((await write('x.new', 'old', [])).status).toBe(200);
    },
  );
});
