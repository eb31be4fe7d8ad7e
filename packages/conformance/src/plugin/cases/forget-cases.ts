import { randomUUID } from 'node:crypto';
import { ensure, ensureEqual, show } from '../../expectation.js';
import { contentsOf, expectStatus } from '../plugin-probe.js';
import { nameOfMode, searchModes, towards } from '../search-modes.js';
import { verifies } from '../verifies.js';

export const forgetCases = [
  verifies('PLUGIN-FORGET-01', 'forgets a memory', async (probe) => {
    const name = await probe.newNamespace();
    const id = await probe.remember(name, { content: 'The harbour.', ...(await towards(probe)) });
    const response = await probe.forget(id, name);
    expectStatus(response, 204);
    ensureEqual(response.text, '', 'the body of a 204');
    for (const mode of await searchModes(probe, 'harbour')) {
      ensureEqual(await probe.search({ namespaces: [name], ...mode }), [], `the result by ${nameOfMode(mode)}`);
    }
  }),
  verifies('PLUGIN-FORGET-02', 'returns 404 for a missing memory', async (probe) => {
    const name = await probe.newNamespace();
    expectStatus(await probe.forget(randomUUID(), name), 404);
    const id = await probe.remember(name, {});
    expectStatus(await probe.forget(id, name), 204);
    expectStatus(await probe.forget(id, name), 404);
  }),
  verifies('PLUGIN-FORGET-03', 'rejects a delete by another namespace', async (probe) => {
    const [here, there] = [await probe.newNamespace(), await probe.newNamespace()];
    const id = await probe.remember(there, 'Stays.');
    expectStatus(await probe.forget(id, here), 403);
    expectStatus(await probe.forget(id, probe.newName()), 403);
    expectStatus(await probe.forget(id, there.slice(0, -1)), 403);
    ensureEqual(contentsOf(await probe.search({ namespaces: [there] })), ['Stays.'], 'the remaining memories');
  }),
  verifies('PLUGIN-FORGET-04', 'requires the requesting namespace', async (probe) => {
    const name = await probe.newNamespace();
    const id = await probe.remember(name, 'Stays.');
    const call = { method: 'DELETE', path: `/v1/memories/${id}` };
    expectStatus(await probe.call(call), 400);
    for (const body of [
      {},
      { requested_by_namespace: null },
      { requested_by_namespace: [name] },
      { namespace: name },
    ]) {
      const { status } = await probe.call({ ...call, body });
      ensure(status === 400, `a delete with ${show(body)} is ${status} instead of 400`);
    }
    ensureEqual(contentsOf(await probe.search({ namespaces: [name] })), ['Stays.'], 'the remaining memories');
  }),
  verifies('PLUGIN-FORGET-05', 'deletes nothing for a malformed id', async (probe) => {
    const name = await probe.newNamespace();
    const id = await probe.remember(name, 'Stays.');
    for (const wrong of [
      'x',
      '7',
      '*',
      '%25',
      `${id}0`,
      id.slice(0, -1),
      '%2e%2e',
      `${id}%00`,
      `${id},${randomUUID()}`,
    ]) {
      expectStatus(await probe.forget(wrong, name), 400, 404);
    }
    ensureEqual(contentsOf(await probe.search({ namespaces: [name] })), ['Stays.'], 'the remaining memories');
  }),
  verifies('PLUGIN-FORGET-06', 'makes the id available again', async (probe) => {
    const [here, there] = [await probe.newNamespace(), await probe.newNamespace()];
    const id = await probe.remember(here, { id: randomUUID(), content: 'First.' });
    expectStatus(await probe.forget(id, here), 204);
    expectStatus(await probe.write(there, { id, content: 'Second.' }), 201);
    expectStatus(await probe.forget(id, there), 204);
    expectStatus(await probe.write(here, { id, content: 'Third.' }), 201);
    ensureEqual(contentsOf(await probe.search({ namespaces: [here, there] })), ['Third.'], 'the stored memories');
  }),
  verifies('PLUGIN-FORGET-07', 'deletes nothing else', async (probe) => {
    const name = await probe.newNamespace();
    const [, id] = await probe.rememberInTurn(name, ['The same.', 'The same.', 'Another.']);
    expectStatus(await probe.forget(id ?? '', name), 204);
    const left = contentsOf(await probe.search({ namespaces: [name] }));
    ensureEqual(left, ['Another.', 'The same.'], 'the remaining memories');
  }),
];
