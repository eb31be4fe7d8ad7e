import { randomUUID } from 'node:crypto';
import { ensure, ensureEqual, show } from '../../expectation.js';
import type { Call, PluginResponse } from '../plugin-caller.js';
import { asObject, contentsOf, expectStatus, namespacePath, type PluginProbe } from '../plugin-probe.js';
import { verifies } from '../verifies.js';

const codes = ['bad_request', 'not_found', 'forbidden', 'internal', 'unavailable'];
const mebibyte = 1024 * 1024;

/** Returns error responses of every kind, from every path. Other cases check that each of these calls is rejected. */
async function errorResponses(probe: PluginProbe): Promise<PluginResponse[]> {
  const [name, other, missing] = [await probe.newNamespace(), await probe.newNamespace(), probe.newName()];
  const id = await probe.remember(other, {});
  const responses = [
    await probe.putNamespace('nonsense'),
    await probe.putNamespace(name, { kind: 'galaxy' }),
    await probe.patchNamespace(name, {}),
    await probe.patchNamespace(missing, { metadata: { a: 1 } }),
    await probe.deleteNamespace(missing),
    await probe.write(name, { content: '' }),
    await probe.write(missing, {}),
    await probe.write(name, { id, content: 'Taken.' }),
    await probe.searchRaw({}),
    await probe.searchRaw({ namespaces: [name], limit: 0 }),
    await probe.forget(randomUUID(), name),
    await probe.forget(id, name),
    await probe.call({ method: 'POST', path: '/v1/search', raw: '{' }),
    await probe.call({ method: 'GET', path: '/v1/nothing' }),
    await probe.call({ method: 'PUT', path: '/v1/search', body: {} }),
    await probe.call({ method: 'POST', path: '/v1/search', body: padded(mebibyte + 65_536) }),
  ];
  const errors = responses.filter(({ status }) => status >= 400);
  ensure(errors.length > 0, 'no call is rejected');
  return errors;
}

function padded(bytes: number) {
  return { content: 'Padded.', kind: 'fact', source: 'agent', padding: 'x'.repeat(bytes) };
}

function expectedCode(status: number): string {
  if (status >= 500) return status === 503 ? 'unavailable' : 'internal';
  if (status === 403) return 'forbidden';
  return status === 404 ? 'not_found' : 'bad_request';
}

export const errorCases = [
  verifies('PLUGIN-ERR-01', 'returns errors with code and message', async (probe) => {
    for (const { call, status, mediaType, body, text } of await errorResponses(probe)) {
      const { code, message } = asObject(body);
      const shape = `${call} (${status}) returned ${show(text)}`;
      ensure(mediaType === 'application/json', `${shape} as ${show(mediaType)} instead of application/json`);
      ensure(typeof code === 'string' && codes.includes(code), `${shape}: the code must be one of ${codes.join(', ')}`);
      ensure(typeof message === 'string' && message.trim() !== '', `${shape}: there is no message`);
    }
  }),
  verifies('PLUGIN-ERR-02', 'returns the code that matches the status', async (probe) => {
    for (const { call, status, body } of await errorResponses(probe)) {
      ensureEqual(asObject(body).code, expectedCode(status), `the code of ${call} (${status})`);
    }
  }),
  verifies('PLUGIN-ERR-03', 'returns 404 for unknown paths', async (probe) => {
    const name = await probe.newNamespace();
    const paths = ['/', '/v1', '/v1/nothing', '/v2/health', '/v1/health/more', '/v1/search/more', '/v1/Health'];
    for (const path of [...paths, `${namespacePath(name)}/nothing`, `${namespacePath(name)}/memories/more`]) {
      expectStatus(await probe.call({ method: 'GET', path }), 404);
    }
  }),
  verifies('PLUGIN-ERR-04', 'returns 405 for unsupported methods', async (probe) => {
    const name = await probe.newNamespace();
    const calls: Call[] = [
      { method: 'POST', path: '/v1/health', body: {} },
      { method: 'DELETE', path: '/v1/health' },
      { method: 'GET', path: '/v1/search' },
      { method: 'PUT', path: '/v1/search', body: { namespaces: [name] } },
      { method: 'POST', path: namespacePath(name), body: { kind: 'custom' } },
      { method: 'GET', path: `${namespacePath(name)}/memories` },
      { method: 'DELETE', path: `${namespacePath(name)}/memories` },
      { method: 'GET', path: `/v1/memories/${randomUUID()}` },
      { method: 'PUT', path: `/v1/memories/${randomUUID()}`, body: {} },
    ];
    for (const call of calls) expectStatus(await probe.call(call), 405);
  }),
  verifies('PLUGIN-ERR-05', 'rejects large bodies', async (probe) => {
    const name = await probe.newNamespace();
    const body = padded(mebibyte + 65_536);
    expectStatus(await probe.call({ method: 'POST', path: `${namespacePath(name)}/memories`, body }), 413);
    expectStatus(await probe.searchRaw({ ...body, namespaces: [name] }), 413);
    expectStatus(await probe.putNamespace(name, { ...body, kind: 'team' }), 413);
    ensureEqual(await probe.search({ namespaces: [name] }), [], 'the stored memories after the rejections');
  }),
  verifies('PLUGIN-ERR-06', 'accepts bodies below the limit', async (probe) => {
    const name = await probe.newNamespace();
    const body = padded(mebibyte - 65_536);
    expectStatus(await probe.call({ method: 'POST', path: `${namespacePath(name)}/memories`, body }), 201);
    expectStatus(await probe.searchRaw({ ...body, kind: undefined, namespaces: [name] }), 200);
  }),
  verifies('PLUGIN-ERR-07', 'rejects bodies that are not JSON objects', async (probe) => {
    const name = await probe.newNamespace();
    const id = await probe.remember(name, 'Stays.');
    const places = [
      { method: 'PUT', path: namespacePath(name) },
      { method: 'PATCH', path: namespacePath(name) },
      { method: 'POST', path: `${namespacePath(name)}/memories` },
      { method: 'POST', path: '/v1/search' },
      { method: 'DELETE', path: `/v1/memories/${id}` },
    ];
    const bodies = [
      '',
      '{',
      '{"a":',
      '{a: 1}',
      "{'a': 1}",
      '{"a": 1,}',
      '{} {}',
      'null',
      '[]',
      '"text"',
      '7',
      '<xml/>',
    ];
    for (const place of places) {
      for (const raw of bodies) {
        const { call, status } = await probe.call({ ...place, raw });
        ensure(status === 400, `${call} with the body ${show(raw)} is ${status} instead of 400`);
      }
    }
    ensureEqual(
      contentsOf(await probe.search({ namespaces: [name] })),
      ['Stays.'],
      'the stored memories after the rejections',
    );
  }),
  verifies('PLUGIN-ERR-08', 'ignores unknown fields', async (probe) => {
    const unknown = {
      colour: 'blue',
      tenant_id: 'x',
      nested: { a: [1] },
      created_at: '2001-01-01T00:00:00Z',
      score: 7,
    };
    const name = probe.newName();
    const made = await probe.putNamespace(name, { kind: 'custom', ...unknown });
    expectStatus(made, 200);
    ensure(asObject(made.body).created_at !== unknown.created_at, 'a caller can set created_at of a namespace');
    expectStatus(await probe.patchNamespace(name, { metadata: { a: 1 }, ...unknown }), 200);
    expectStatus(await probe.write(name, { ...unknown, namespace: 'custom:other' }), 201);
    const [found, ...others] = await probe.search({ namespaces: [name], ...unknown });
    ensureEqual(others, [], 'the other memories found');
    ensure(found?.created_at !== unknown.created_at, 'a caller can set created_at of a memory');
    ensureEqual(found?.namespace, name, 'the namespace of the memory');
    const call = { method: 'DELETE', path: `/v1/memories/${found?.id}` };
    expectStatus(await probe.call({ ...call, body: { requested_by_namespace: name, ...unknown } }), 204);
  }),
  verifies('PLUGIN-ERR-09', 'reveals no internals', async (probe) => {
    const inside =
      /\bat .+:\d+:\d+|Traceback|node_modules|\bSELECT\b.+\bFROM\b|\bINSERT INTO\b|\.(go|py|rs|java|mjs|cjs|ts):\d+|\/(usr|home|var|app|src)\//;
    for (const { call, text } of await errorResponses(probe)) {
      ensure(!inside.test(text), `${call} returned ${show(text)}`);
    }
  }),
];
