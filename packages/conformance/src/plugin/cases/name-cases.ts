import { randomUUID } from 'node:crypto';
import { ensure, show } from '../../expectation.js';
import type { PluginResponse } from '../plugin-caller.js';
import { contentsOf, expectStatus, namespacePath, type PluginProbe } from '../plugin-probe.js';
import { verifies } from '../verifies.js';

/** Each name violates the grammar in a way that a validator may overlook. */
const malformed = [
  'workspace',
  'workspace:',
  ':name',
  'Workspace:name',
  'work space:name',
  'work2:name',
  'workspace:na me',
  'workspace:name\n',
  'workspace:\nname',
  'other\nworkspace:name',
  ' workspace:name',
  'workspace:name ',
  'workspace:a/b',
  'workspace:a\\b',
  'workspace:a%b',
  'workspace:a*b',
  "workspace:a'b",
  'workspace:naïve',
  'ｗorkspace:name',
  'wоrkspace:name',
  'workspace:na\u200bme',
  'workspace:name\u0000',
  'workspace:😀',
];

const longest = (start = 'custom:conformance.') => `${start}${randomUUID()}`.padEnd(256, 'x');

/** Makes every call that has a name in its path. */
async function callsWith(probe: PluginProbe, name: string): Promise<PluginResponse[]> {
  return [
    await probe.putNamespace(name),
    await probe.patchNamespace(name, { metadata: { a: 1 } }),
    await probe.deleteNamespace(name),
    await probe.write(name, {}),
  ];
}

export const nameCases = [
  verifies('PLUGIN-NS-03', 'rejects malformed names in paths', async (probe) => {
    for (const name of malformed) {
      for (const response of await callsWith(probe, name)) {
        ensure(
          response.status === 400,
          `the name ${show(name)} is ${response.status} instead of 400 in ${response.call}: ${show(response.text)}`,
        );
      }
    }
  }),
  verifies('PLUGIN-NS-04', 'rejects malformed names in a search', async (probe) => {
    const good = await probe.newNamespace();
    for (const name of [...malformed, '']) {
      const response = await probe.searchRaw({ namespaces: [good, name] });
      ensure(response.status === 400, `a search in ${show(name)} is ${response.status} instead of 400`);
    }
  }),
  verifies('PLUGIN-NS-04', 'rejects malformed names in a delete', async (probe) => {
    const id = await probe.remember(await probe.newNamespace(), 'Stays.');
    for (const name of [...malformed, '']) {
      const { status } = await probe.forget(id, name);
      ensure(status === 400, `a delete requested by ${show(name)} is ${status} instead of 400`);
    }
  }),
  verifies('PLUGIN-NS-05', 'accepts 256 characters', async (probe) => {
    const name = await probe.newNamespace({}, probe.own(longest()));
    expectStatus(await probe.patchNamespace(name, { metadata: { a: 1 } }), 200);
    const id = await probe.remember(name, 'Under a long name.');
    ensure((await probe.search({ namespaces: [name] })).length === 1, 'nothing is found under the long name');
    expectStatus(await probe.forget(id, name), 204);
    expectStatus(await probe.deleteNamespace(name), 204);
  }),
  verifies('PLUGIN-NS-05', 'rejects 257 characters', async (probe) => {
    const name = `${longest()}x`;
    for (const response of await callsWith(probe, name)) expectStatus(response, 400);
    expectStatus(await probe.searchRaw({ namespaces: [name] }), 400);
    expectStatus(await probe.forget(randomUUID(), name), 400);
  }),
  verifies('PLUGIN-NS-06', 'accepts every character of the grammar, escaped or not', async (probe) => {
    const alphabet = 'abcdefghijklmnopqrstuvwxyz';
    const own = randomUUID();
    const names = [`${alphabet}:${alphabet}${alphabet.toUpperCase()}0123456789_:.-${own}`, `a:.${own}`, `b:-:_${own}`];
    for (const name of names.map((one) => probe.own(one))) {
      await probe.newNamespace({}, name);
      const plain = { method: 'PATCH', path: `/v1/namespaces/${name}`, body: { metadata: { a: 1 } } };
      expectStatus(await probe.call(plain), 200);
      await probe.remember(name, 'Found.');
      ensure((await probe.search({ namespaces: [name] })).length === 1, `nothing is found in ${show(name)}`);
    }
  }),
  verifies('PLUGIN-NS-07', 'does not match prefixes, other cases or patterns', async (probe) => {
    const name = probe.newName('.Inner');
    await probe.newNamespace({}, name);
    await probe.remember(name, 'A secret.');
    const alike = [name.slice(0, -1), name.slice(0, -'.Inner'.length), `${name}.more`, name.toLowerCase()];
    const pattern = name.replace('.Inner', '_Inner');
    const joker = name.replace('conformance.', 'conformance_');
    for (const other of [...alike, pattern, joker]) {
      probe.own(other);
      const before = contentsOf(await probe.search({ namespaces: [other] }));
      ensure(before.length === 0, `a search in ${show(other)}, which does not exist, finds ${show(before)}`);
      await probe.newNamespace({}, other);
      const found = contentsOf(await probe.search({ namespaces: [other] }));
      ensure(found.length === 0, `a search in ${show(other)}, which is empty, finds ${show(found)}`);
    }
    const kept = contentsOf(await probe.search({ namespaces: [name] }));
    ensure(kept.length === 1, `${show(name)} must have exactly one memory: ${show(kept)}`);
  }),
  verifies('PLUGIN-NS-15', 'returns 404 for a missing namespace', async (probe) => {
    const name = probe.newName();
    expectStatus(await probe.patchNamespace(name, { metadata: { a: 1 } }), 404);
    expectStatus(await probe.call({ method: 'DELETE', path: namespacePath(name) }), 404);
  }),
];
