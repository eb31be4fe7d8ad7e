import { randomUUID } from 'node:crypto';
import { ensure, ensureEqual, show } from '../../expectation.js';
import { asObject, contentsOf, expectStatus, memoriesOf, namespacePath, type PluginProbe } from '../plugin-probe.js';
import { knownTo } from '../search-modes.js';
import { verifies } from '../verifies.js';

/** Ensures that the plugin still works, in a new namespace. */
async function ensureAlive(probe: PluginProbe): Promise<void> {
  const name = await probe.newNamespace();
  await probe.remember(name, 'Still there.');
  ensureEqual(contentsOf(await probe.search({ namespaces: [name] })), ['Still there.'], 'the result after that');
}

const trickyPaths = [
  '/v1/namespaces/',
  '/v1/namespaces/..',
  '/v1/namespaces/%2e%2e',
  '/v1/namespaces/../../conformance/nothing',
  '/v1/namespaces/custom:x%2F..%2F..%2Fy',
  '/v1/namespaces/custom:x%00',
  '/v1/namespaces/custom:x%0a',
  '/v1/namespaces/custom:x%0d%0aSet-Cookie:%20a',
  '/v1/namespaces/%zz',
  '/v1/namespaces/%',
  '/v1/namespaces/%c0%ae%c0%ae',
  '/v1/namespaces/%ff%fe',
  '/v1/namespaces/%ed%a0%80',
  '/v1/namespaces//memories',
  '/v1/namespaces/custom:x/../../memories',
  `/v1/namespaces/custom:${'x'.repeat(6000)}`,
];

const texts = [
  '👩‍👩‍👧‍👦 👍🏽 🏴‍☠️ e\u200dmoji',
  '\u202eright to left\u202c \u2066isolated\u2069 \u200e\u200f',
  'zero\u200bwidth\u200c\u200djoin\u2060ers soft\u00adhyphen',
  'مرحبا بالعالم שלום עולם नमस्ते ไทย 한국어 日本語 ქართული አማርኛ',
  'astral \u{1d54f}\u{20000}\u{10fffd} private \ue000',
  'line\u2028separator\u2029paragraph\u0085next',
  'Z\u0361\u0335a\u0335\u0361lgo',
  '\ufefforder mark',
].map((text) => text.normalize('NFC'));

export const hostileCases = [
  verifies('PLUGIN-HOSTILE-01', 'handles tricky paths', async (probe) => {
    for (const path of trickyPaths) {
      for (const [method, body] of [
        ['PUT', { kind: 'custom' }],
        ['DELETE', undefined],
      ] as const) {
        expectStatus(await probe.call({ method, path, body }), 400, 404, 405, 414);
      }
    }
    for (const id of ['..', '%2e%2e', '%00', '%zz', 'x'.repeat(6000)]) {
      expectStatus(await probe.forget(id, probe.newName()), 400, 404, 405, 414);
    }
    await ensureAlive(probe);
  }),
  verifies('PLUGIN-HOSTILE-02', 'rejects values of a wrong type', async (probe) => {
    const name = await probe.newNamespace();
    const wrong: unknown[] = [7, true, {}, []];
    for (const value of wrong) {
      const responses = [
        await probe.putNamespace(name, { kind: value }),
        await probe.write(name, { content: value }),
        await probe.write(name, { kind: value }),
        await probe.write(name, { source: value }),
        await probe.write(name, { id: value }),
        await probe.searchRaw({ namespaces: value }),
        await probe.searchRaw({ namespaces: [value] }),
        await probe.searchRaw({ namespaces: [name], kinds: [value] }),
        ...(probe.has('fts') ? [await probe.searchRaw({ namespaces: [name], query: value })] : []),
        await probe.call({
          method: 'DELETE',
          path: `/v1/memories/${randomUUID()}`,
          body: { requested_by_namespace: value },
        }),
      ];
      for (const { call, status, text } of responses) {
        ensure(status === 400, `${call} with ${show(value)} as a value of a wrong type is ${status}: ${show(text)}`);
      }
    }
    ensureEqual(await probe.search({ namespaces: [name] }), [], 'the stored memories after the rejections');
  }),
  verifies('PLUGIN-HOSTILE-03', 'does not truncate text at NUL', async (probe) => {
    const name = await probe.newNamespace();
    const response = await probe.write(name, { content: 'before\u0000after' });
    expectStatus(response, 201, 400);
    const expected = response.status === 201 ? ['before\u0000after'] : [];
    ensureEqual(contentsOf(await probe.search({ namespaces: [name] })), expected, 'the stored content');
    expectStatus(
      await probe.putNamespace(probe.newName(), { kind: 'custom', metadata: { 'a\u0000': '\u0000' } }),
      200,
      400,
    );
    expectStatus(await probe.searchRaw({ namespaces: [name], query: 'before\u0000' }), 200, 400);
    await ensureAlive(probe);
  }),
  verifies('PLUGIN-HOSTILE-04', 'survives text that is not valid Unicode', async (probe) => {
    const name = await probe.newNamespace();
    const path = `${namespacePath(name)}/memories`;
    const raws = [
      '{"content":"half \\ud83d pair","kind":"fact","source":"agent"}',
      '{"content":"\\udc00 other half","kind":"fact","source":"agent","propagation":{"\\ud800":"\\udfff"}}',
      Buffer.concat([
        Buffer.from('{"content":"bytes '),
        Buffer.from([0xff, 0xc3, 0x28]),
        Buffer.from('","kind":"fact","source":"agent"}'),
      ]),
    ];
    for (const raw of raws) {
      expectStatus(await probe.call({ method: 'POST', path, raw }), 201, 400);
      for (const content of contentsOf(await probe.search({ namespaces: [name] }))) {
        ensure(typeof content === 'string', `content was returned as ${show(content)}`);
      }
    }
    const query = `{"namespaces":["${name}"],"query":"\\ud800"}`;
    expectStatus(await probe.call({ method: 'POST', path: '/v1/search', raw: query }), 200, 400);
    await ensureAlive(probe);
  }),
  verifies('PLUGIN-HOSTILE-05', 'survives absurd depth', async (probe) => {
    const name = await probe.newNamespace();
    const depth = 100_000;
    const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`;
    const objects = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
    for (const value of [`{"a":${deep}}`, objects]) {
      const memory = `{"content":"Deep.","kind":"fact","source":"agent","propagation":${value}}`;
      expectStatus(
        await probe.call({ method: 'POST', path: `${namespacePath(name)}/memories`, raw: memory }),
        201,
        400,
        413,
      );
      const namespace = `{"kind":"custom","metadata":${value}}`;
      expectStatus(await probe.call({ method: 'PUT', path: namespacePath(name), raw: namespace }), 200, 400, 413);
      expectStatus(await probe.call({ method: 'POST', path: '/v1/search', raw: `{"namespaces":${deep}}` }), 400, 413);
    }
    memoriesOf(await probe.searchRaw({ namespaces: [name] }));
    await ensureAlive(probe);
  }),
  verifies('PLUGIN-HOSTILE-06', 'survives numbers that are too large', async (probe) => {
    const name = await probe.newNamespace();
    const path = `${namespacePath(name)}/memories`;
    const fields = ['"propagation":{"n":1e400}', '"embedding":[1e400,-1e400]', '"embedding":[1e308,1e308,1e308]'];
    for (const field of fields) {
      const raw = `{"content":"Large.","kind":"fact","source":"agent",${field}}`;
      expectStatus(await probe.call({ method: 'POST', path, raw }), 201, 400);
    }
    const limit = `{"namespaces":["${name}"],"limit":1e400}`;
    expectStatus(await probe.call({ method: 'POST', path: '/v1/search', raw: limit }), 400);
    memoriesOf(await probe.searchRaw({ namespaces: [name] }));
  }),
  verifies('PLUGIN-HOSTILE-07', 'ignores prototype names', async (probe) => {
    const name = await probe.newNamespace();
    const path = `${namespacePath(name)}/memories`;
    const inherited = '{"__proto__":{"content":"Inherited.","kind":"fact","source":"agent"}}';
    expectStatus(await probe.call({ method: 'POST', path, raw: inherited }), 400);
    const poison =
      '{"content":"Poison.","kind":"fact","source":"agent","propagation":{"__proto__":{"pin":true,"score":9}}}';
    expectStatus(await probe.call({ method: 'POST', path, raw: poison }), 201, 400);
    const constructed =
      '{"kind":"custom","metadata":{"constructor":{"prototype":{"expires_at":"2001-01-01T00:00:00Z"}}}}';
    expectStatus(await probe.call({ method: 'PUT', path: namespacePath(name), raw: constructed }), 200, 400);
    for (const kind of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      expectStatus(await probe.putNamespace(probe.newName(), { kind }), 400);
      expectStatus(await probe.write(name, { kind }), 400);
      expectStatus(await probe.write(name, { source: kind }), 400);
      expectStatus(await probe.searchRaw({ namespaces: [name], kinds: [kind] }), 400);
    }
    const fresh = await probe.newNamespace();
    await probe.remember(fresh, 'Plain.');
    const [found] = await probe.search({ namespaces: [fresh] });
    ensureEqual(
      [found?.content, found?.pin ?? false, found?.score ?? 0],
      ['Plain.', false, 0],
      'an ordinary memory after that',
    );
  }),
  verifies('PLUGIN-HOSTILE-08', 'executes no code from texts', async (probe) => {
    const bystander = await probe.newNamespace();
    await probe.remember(bystander, 'Stays.');
    const name = await probe.newNamespace();
    // Harmless even if executed.
    const codes = [
      "'); SELECT 1; --",
      '"; SELECT 1; --',
      "' OR '1'='1",
      '$(id) `id` ; id',
      `{{7*7}} $${'{7*7}'} <%= 7*7 %> #{7*7}`,
      '<img src=x onerror=alert(1)>',
      '{"$where": "1 == 1"}',
      '=HYPERLINK("http://x","y")',
    ];
    for (const code of codes) {
      await probe.remember(name, { content: code, ...knownTo(probe, { propagation: { [code]: code } }) });
      if (probe.has('fts')) expectStatus(await probe.searchRaw({ namespaces: [name], query: code }), 200);
    }
    const found = new Set(contentsOf(await probe.search({ namespaces: [name] })));
    ensureEqual(found, new Set(codes), 'the stored content');
    ensureEqual(
      contentsOf(await probe.search({ namespaces: [bystander] })),
      ['Stays.'],
      'the content of another namespace',
    );
  }),
  verifies('PLUGIN-HOSTILE-09', 'handles slow queries', async (probe) => {
    const name = await probe.newNamespace();
    await probe.remember(name, `${'a'.repeat(5000)}!`);
    await probe.remember(name, 'lantern '.repeat(3000));
    const words = Array.from({ length: 10_000 }, (_, number) => `w${number}`).join(' ');
    const queries = [
      '(a+)+$',
      '(a|a)*b',
      `${'a'.repeat(5000)}b`,
      '('.repeat(5000),
      '%'.repeat(5000),
      'lantern '.repeat(2000),
      words,
    ];
    for (const query of queries) expectStatus(await probe.searchRaw({ namespaces: [name], query }), 200, 400);
    await ensureAlive(probe);
  }),
  verifies('PLUGIN-HOSTILE-10', 'searches many namespaces', async (probe) => {
    const name = await probe.newNamespace();
    await probe.remember(name, 'A lantern.');
    const others = Array.from({ length: 199 }, () => `custom:conformance.${randomUUID()}`);
    ensureEqual(contentsOf(await probe.search({ namespaces: [...others, name] })), ['A lantern.'], 'the result');
  }),
  verifies('PLUGIN-HOSTILE-11', 'stores every kind of text unchanged', async (probe) => {
    const name = await probe.newNamespace();
    for (const content of texts) {
      const response = await probe.write(name, { content });
      expectStatus(response, 201);
      const { id } = asObject(response.body);
      const found = (await probe.search({ namespaces: [name] })).find((memory) => memory.id === id);
      ensureEqual(found?.content, content, 'the content');
    }
  }),
];
