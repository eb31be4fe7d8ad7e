import { randomUUID } from 'node:crypto';
import { ensure, ensureEqual, show } from '../../expectation.js';
import { ensureMoment } from '../moments.js';
import type { PluginResponse } from '../plugin-caller.js';
import { asObject, contentsOf, expectStatus, type Json } from '../plugin-probe.js';
import { knownTo, nameOfMode, searchModes } from '../search-modes.js';
import { verifies } from '../verifies.js';

function namespaceOf(response: PluginResponse): Json {
  expectStatus(response, 200);
  return asObject(response.body);
}

/** Cleared metadata may be missing or empty. */
function ensureNoMetadata({ metadata }: Json): void {
  ensure(metadata === undefined || show(metadata) === '{}', `metadata is still ${show(metadata)}`);
}

export const namespaceCases = [
  verifies('PLUGIN-NS-01', 'creates a namespace', async (probe) => {
    const name = probe.newName();
    const made = namespaceOf(await probe.putNamespace(name));
    ensureEqual(made.name, name, 'the name');
    ensureEqual(made.kind, 'custom', 'the kind');
    ensureMoment(made.created_at, 'created_at');
  }),
  verifies('PLUGIN-NS-02', 'accepts only the four kinds', async (probe) => {
    for (const kind of ['workspace', 'team', 'org', 'custom']) {
      ensureEqual(namespaceOf(await probe.putNamespace(probe.newName(), { kind })).kind, kind, 'the kind');
    }
    for (const body of [{}, { kind: 'galaxy' }, { kind: '' }, { kind: 'Team' }, { kind: null }, { kind: ['team'] }]) {
      const name = probe.newName();
      const { status } = await probe.putNamespace(name, body);
      ensure(status === 400, `${show(body)} is ${status} instead of 400`);
      expectStatus(await probe.deleteNamespace(name), 404);
    }
  }),
  verifies('PLUGIN-NS-08', 'creates the same namespace twice without harm', async (probe) => {
    const name = probe.newName();
    const body = { kind: 'team', metadata: { a: [1, { b: null }] } };
    const first = namespaceOf(await probe.putNamespace(name, body));
    await probe.remember(name, 'Stays.');
    await probe.wait(10);
    ensureEqual(namespaceOf(await probe.putNamespace(name, body)), first, 'the second response');
    ensureEqual(contentsOf(await probe.search({ namespaces: [name] })), ['Stays.'], 'its content');
  }),
  verifies('PLUGIN-NS-09', 'replaces every field', async (probe) => {
    const name = probe.newName();
    const fields = knownTo(probe, { kind: 'team', expires_at: '2999-01-01T00:00:00Z', metadata: { a: 1 } });
    const first = namespaceOf(await probe.putNamespace(name, fields));
    const second = namespaceOf(await probe.putNamespace(name, { kind: 'org' }));
    ensureEqual(second.kind, 'org', 'the kind');
    ensureEqual(second.created_at, first.created_at, 'created_at');
    ensureNoMetadata(second);
    ensure((second.expires_at ?? null) === null, `expires_at is still ${show(second.expires_at)}`);
  }),
  verifies('PLUGIN-NS-10', 'returns metadata unchanged', async (probe) => {
    const metadata = {
      text: 'Grüße, 東京 🚢',
      deep: [[{ a: { b: [null, true, -1.5, ''] } }]],
      'a.b/c': {},
      '': 'empty',
    };
    const made = namespaceOf(await probe.putNamespace(probe.newName(), { kind: 'custom', metadata }));
    ensureEqual(made.metadata, metadata, 'metadata');
  }),
  verifies('PLUGIN-NS-11', 'replaces the given fields and nothing else', async (probe) => {
    const name = probe.newName();
    const made = namespaceOf(await probe.putNamespace(name, { kind: 'team', metadata: { a: 1, b: 2 } }));
    const changed = namespaceOf(await probe.patchNamespace(name, { metadata: { b: 3 } }));
    ensureEqual(changed, { ...made, metadata: { b: 3 } }, 'the namespace');
    ensureEqual(
      namespaceOf(await probe.patchNamespace(name, { metadata: { b: 3 } })),
      changed,
      'the namespace after the same change',
    );
  }),
  verifies(['PLUGIN-NS-11', 'PLUGIN-TTL-01'], 'changes the expiry and nothing else', async (probe) => {
    const name = probe.newName();
    const made = namespaceOf(await probe.putNamespace(name, { kind: 'team', metadata: { a: 1 } }));
    const { expires_at, ...rest } = namespaceOf(
      await probe.patchNamespace(name, { expires_at: '2999-01-01T00:00:00Z' }),
    );
    ensureMoment(expires_at, 'expires_at', '2999-01-01T00:00:00Z');
    ensureEqual(rest, made, 'the rest of the namespace');
    const kept = namespaceOf(await probe.patchNamespace(name, { metadata: { a: 2 } }));
    ensureMoment(kept.expires_at, 'expires_at after a metadata change', '2999-01-01T00:00:00Z');
  }),
  verifies('PLUGIN-NS-12', 'clears expires_at with null', async (probe) => {
    const name = await probe.newNamespace({ expires_at: '2999-01-01T00:00:00Z', metadata: { a: 1 } });
    const changed = namespaceOf(await probe.patchNamespace(name, { expires_at: null }));
    ensure((changed.expires_at ?? null) === null, `expires_at is still ${show(changed.expires_at)}`);
    ensureEqual(changed.metadata, { a: 1 }, 'metadata');
  }),
  verifies('PLUGIN-NS-13', 'clears metadata with {}', async (probe) => {
    const name = await probe.newNamespace({ metadata: { a: 1 } });
    ensureNoMetadata(namespaceOf(await probe.patchNamespace(name, { metadata: {} })));
    ensureNoMetadata(namespaceOf(await probe.patchNamespace(name, { metadata: {} })));
  }),
  verifies('PLUGIN-NS-14', 'rejects an empty change', async (probe) => {
    const name = await probe.newNamespace({ metadata: { a: 1 } });
    expectStatus(await probe.patchNamespace(name, {}), 400);
    expectStatus(await probe.patchNamespace(name, { kind: 'team', colour: 'blue' }), 400);
  }),
  verifies('PLUGIN-NS-16', 'deletes a namespace', async (probe) => {
    const name = await probe.newNamespace();
    const response = await probe.deleteNamespace(name);
    expectStatus(response, 204);
    ensureEqual(response.text, '', 'the body of a 204');
    expectStatus(await probe.deleteNamespace(name), 404);
    expectStatus(await probe.patchNamespace(name, { metadata: { a: 1 } }), 404);
    expectStatus(await probe.write(name, {}), 404);
  }),
  verifies('PLUGIN-NS-17', 'deletes its memories with it', async (probe) => {
    const name = await probe.newNamespace();
    const id = await probe.remember(name, { id: randomUUID(), content: 'Gone.' });
    expectStatus(await probe.deleteNamespace(name), 204);
    ensureEqual(await probe.search({ namespaces: [name] }), [], 'the result of the deleted namespace');
    await probe.newNamespace({}, name);
    for (const mode of await searchModes(probe, 'gone')) {
      ensureEqual(
        await probe.search({ namespaces: [name], ...mode }),
        [],
        `the result after creating it again, by ${nameOfMode(mode)}`,
      );
    }
    expectStatus(await probe.forget(id, name), 404);
    expectStatus(await probe.write(await probe.newNamespace(), { id, content: 'Elsewhere.' }), 201);
  }),
  verifies('PLUGIN-NS-18', 'does not affect other namespaces', async (probe) => {
    const name = await probe.newNamespace();
    const others = [probe.own(`${name}.more`), probe.own(`${name}:inner`), probe.own(name.slice(0, -1))];
    for (const other of others) await probe.remember(await probe.newNamespace({}, other), 'Stays.');
    expectStatus(await probe.deleteNamespace(name), 204);
    for (const other of others) {
      ensureEqual(
        contentsOf(await probe.search({ namespaces: [other] })),
        ['Stays.'],
        `the remaining content of ${other}`,
      );
    }
  }),
  verifies('PLUGIN-NS-19', 'rejects metadata that is not an object', async (probe) => {
    const name = await probe.newNamespace({ metadata: { a: 1 } });
    for (const metadata of [[], [1], 'text', 7, true]) {
      expectStatus(await probe.putNamespace(name, { kind: 'team', metadata }), 400);
      expectStatus(await probe.patchNamespace(name, { metadata }), 400);
    }
    if (!probe.has('ttl')) return;
    const kept = namespaceOf(await probe.patchNamespace(name, { expires_at: null }));
    ensureEqual([kept.kind, kept.metadata], ['custom', { a: 1 }], 'kind and metadata after the rejections');
  }),
];
