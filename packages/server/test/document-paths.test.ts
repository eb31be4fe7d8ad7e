import { describe, expect, it } from 'vitest';
import { describeOneDatabase } from './support/databases.js';
import { DocumentUser, dynamic, fixed, project, register } from './support/document-user.js';
import { add } from './support/documents.js';
import { expectProblem } from './support/expect-problem.js';
import { sendRaw } from './support/raw-http.js';
import { useServer } from './support/server.js';

describeOneDatabase('the path of a document', (database) => {
  const server = useServer(database);
  const anything = {
    document_bindings: [
      { binding_id: 'any', namespace: 'n', path_template: '{a}', schema_id: 'memory.project', schema_version: '1.0.0' },
      {
        binding_id: 'two',
        namespace: 'n',
        path_template: '{a}/{b}',
        schema_id: 'memory.project',
        schema_version: '1.0.0',
      },
    ],
    writable_path_rules: { any: ['/summary'], two: ['/summary'] },
  };
  const through = (binding_id: string) => ({ body: { profile_id: 'p', binding_id } });

  it.each([
    'a.json',
    'a b',
    'ü.json',
    '日本',
    '👩‍👩‍👧',
    "it's",
    'a%2Fb',
    'a%b',
    '%2e%2e',
    'a?b#c',
    '...',
    '..a',
    '.hidden',
    'history',
    '-',
    '~',
    '__proto__',
    '*',
    'x'.repeat(512),
  ])('can be %s', async (path) => {
    const user = await DocumentUser.of(server(), { tenant: 'paths' });
    await register(server(), 'paths', 'p', anything);
    const made = await user.patched(`n/${path}`, [add('/summary', path)], through('any'));
    expect((await user.get(`n/${path}`)).body).toEqual({ etag: made.etag, document: made.document });
    expect(await user.versions(`n/${path}`)).toHaveLength(1);
    expect((await user.list()).body.documents).toMatchObject([{ namespace: 'n', path }]);
  });

  it('needs encoded slashes and is the same document in every Unicode and percent encoding', async () => {
    const user = await DocumentUser.of(server(), { tenant: 'paths' });
    await register(server(), 'paths', 'p', anything);
    const { etag } = await user.patched('n/caf\u00e9/b.json', [add('/summary', 'x')], through('two'));
    expect((await user.get('n/cafe\u0301/b.json')).body.etag).toBe(etag);
    const lower = await server().call({
      path: `${user.pathOfAll()}/n/caf%c3%a9%2fb%2ejson`,
      token: await user.token({}),
    });
    expect(lower.body.etag).toBe(etag);
    const bare = await server().call({ path: `${user.pathOfAll()}/n/caf%C3%A9/b.json`, token: await user.token({}) });
    expectProblem(bare, 'NOT_FOUND');
    expectProblem(await user.patch('n/a/b/c', [], through('two')), 'BINDING_PATH_MISMATCH');
    expectProblem(await user.patch('n/a/b', [], through('any')), 'BINDING_PATH_MISMATCH');
  });

  const tooLong = 'x'.repeat(513);
  describe.each(['GET', 'PATCH', 'PUT', 'GET history'])('in a %s', (call) => {
    it.each([
      ['..', 'INVALID_PATH'],
      ['.', 'INVALID_PATH'],
      ['..%2Fsecret', 'INVALID_PATH'],
      ['a%2F..%2Fb', 'INVALID_PATH'],
      ['%2e%2e', 'INVALID_PATH'],
      ['a%2F%2E', 'INVALID_PATH'],
      ['%2Fetc%2Fpasswd', 'INVALID_PATH'],
      ['a%2F%2Fb', 'INVALID_PATH'],
      ['a%2F', 'INVALID_PATH'],
      ['a%5Cb', 'INVALID_PATH'],
      ['a%0Ab', 'INVALID_PATH'],
      ['a%7Fb', 'INVALID_PATH'],
      ['a%C2%85b', 'INVALID_PATH'],
      [tooLong, 'INVALID_PATH'],
      ['a%00b', 'INVALID_REQUEST'],
      ['%ED%A0%80', 'INVALID_REQUEST'],
      ['%FF', 'INVALID_REQUEST'],
      ['%', 'INVALID_REQUEST'],
      ['x'.repeat(1025), 'INVALID_REQUEST'],
    ] as const)('cannot be %s', async (path, code) => {
      const token = await server().token({});
      const body = JSON.stringify({
        profile_id: 'project-copilot-v1',
        binding_id: 'project_doc',
        reason: 'live_update',
        ...(call === 'PUT' ? { document: { content: {} } } : { ops: [] }),
      });
      const [method, tail] = call.split(' ');
      const head = [
        `${method} /v1/tenants/t1/users/u1/documents/projects/${path}${tail === undefined ? '' : `/${tail}`} HTTP/1.1`,
        'Host: x',
        `Authorization: Bearer ${token}`,
        ...(method === 'GET'
          ? []
          : ['Content-Type: application/json', `Content-Length: ${body.length}`, 'If-Match: *', 'Idempotency-Key: k']),
      ];
      const answer = await sendRaw(server().url, `${head.join('\r\n')}\r\n\r\n${method === 'GET' ? '' : body}`);
      expectProblem(answer, code);
    });
  });

  it.each(['a b', 'a%2Fb', '%00', 'x'.repeat(129), 'ü'])(
    'needs a namespace that is a valid id, not %s',
    async (namespace) => {
      const token = await server().token({});
      const path = `/v1/tenants/t1/users/u1/documents/${namespace}/a.json`;
      expectProblem(await server().call({ path, token }), 'INVALID_REQUEST');
    },
  );
});

describeOneDatabase('the list of documents', (database) => {
  const server = useServer(database);

  it('returns paths, ETags and sizes, ordered by namespace and path', async () => {
    const user = await DocumentUser.of(server());
    expect((await user.list()).body).toEqual({ documents: [] });
    const one = await user.patched(dynamic, [add('/preferences/-', 'é👩')]);
    const two = await user.patched(project, []);
    await user.patched(project, [add('/summary', 'x')]);
    const three = await user.patched(fixed, []);
    const { body } = await user.list();
    expect(body.documents.map(({ namespace, path }: Record<string, string>) => `${namespace}/${path}`)).toEqual([
      project,
      dynamic,
      fixed,
    ]);
    expect(body.documents[1]).toEqual({
      namespace: 'user',
      path: 'user_dynamic.json',
      etag: one.etag,
      size_chars: JSON.stringify(one.document.content).length,
      version: 1,
      created_at: one.document.created_at,
      updated_at: one.document.updated_at,
    });
    expect(body.documents[0]).toMatchObject({ version: 2, created_at: two.document.created_at });
    expect(body.documents[0].updated_at > two.document.updated_at).toBe(true);
    expect((await user.list('?namespace=user')).body.documents.map(({ etag }: { etag: string }) => etag)).toEqual([
      one.etag,
      three.etag,
    ]);
    expect((await user.list('?namespace=none')).body).toEqual({ documents: [] });
  });

  it('returns each document exactly once across pages', async () => {
    const user = await DocumentUser.of(server());
    const paths = Array.from({ length: 25 }, (_, index) => `p${String(index).padStart(2, '0')}.json`);
    await Promise.all(paths.map((path) => user.patched(`projects/${path}`, [])));
    await user.patched(fixed, []);
    for (const [query, expected] of [
      ['limit=10', [...paths, 'user_static.json']],
      ['limit=10&namespace=projects', paths],
      ['', [...paths, 'user_static.json']],
    ] as const) {
      const seen: string[] = [];
      let cursor = '';
      do {
        const { body } = await user.list(`?${query}${cursor}`);
        seen.push(...body.documents.map(({ path }: { path: string }) => path));
        cursor = body.next_cursor === undefined ? '' : `&cursor=${body.next_cursor}`;
      } while (cursor !== '');
      expect(seen).toEqual(expected);
    }
  });

  const forged = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString('base64url');
  it.each([
    'limit=0',
    'limit=101',
    'limit=x',
    'cursor=bogus',
    `cursor=${forged(['a'])}`,
    `cursor=${forged([1, 2])}`,
    `cursor=${forged(['a\u0000', 'b'])}`,
    'namespace=a%20b',
    'page=2',
  ])('rejects ?%s', async (query) => {
    const user = await DocumentUser.of(server());
    expect((await user.list(`?${query}`)).status).toBe(400);
    await user.patched(fixed, []);
    if (!query.startsWith('namespace')) {
      expect((await user.get(fixed, { tail: `/history?${query}` })).status).toBe(400);
    }
  });
});
