import { randomUUID } from 'node:crypto';
import { ensure, ensureEqual, show } from '../../expectation.js';
import { asObject, contentsOf, expectStatus, idsOf } from '../plugin-probe.js';
import { verifies } from '../verifies.js';

function times<T>(count: number, work: (number: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, number) => work(number)));
}

export const parallelCases = [
  verifies('PLUGIN-PAR-01', 'handles a hundred concurrent writes', async (probe) => {
    const name = await probe.newNamespace();
    const ids = await times(100, (number) => probe.remember(name, `Number ${number}.`));
    ensureEqual(new Set(ids).size, 100, 'the number of different ids');
    const found = await probe.search({ namespaces: [name], limit: 100 });
    ensureEqual(new Set(idsOf(found)), new Set(ids), 'the ids found');
    ensureEqual(new Set(contentsOf(found)).size, 100, 'the number of different contents');
  }),
  verifies('PLUGIN-PAR-02', 'creates one memory per id', async (probe) => {
    const name = await probe.newNamespace();
    const id = randomUUID();
    for (const { call, status } of await times(30, (number) =>
      probe.write(name, { id, content: `Number ${number}.` }),
    )) {
      ensure(status === 201, `${call} with a concurrently written id is ${status} instead of 201`);
    }
    const found = await probe.search({ namespaces: [name], limit: 100 });
    ensureEqual(idsOf(found), [id], 'the ids found');
    await probe.remember(name, { id, content: 'The last.' });
    ensureEqual(
      contentsOf(await probe.search({ namespaces: [name] })),
      ['The last.'],
      'the result after one more write',
    );
  }),
  verifies('PLUGIN-PAR-03', 'gives a contested id to one namespace', async (probe) => {
    for (let round = 0; round < 3; round++) {
      const names = [await probe.newNamespace(), await probe.newNamespace()] as const;
      const id = randomUUID();
      const responses = await times(10, async (number) => {
        const name = names[number % 2 === 0 ? 0 : 1];
        return { name, response: await probe.write(name, { id, content: `Of ${name}.` }) };
      });
      for (const { response } of responses) expectStatus(response, 201, 403);
      const winners = new Set(responses.filter(({ response }) => response.status === 201).map(({ name }) => name));
      ensureEqual(winners.size, 1, 'the number of namespaces that got 201');
      const found = await probe.search({ namespaces: names });
      ensureEqual(found.length, 1, 'the number of memories');
      ensureEqual(new Set(found.map(({ namespace }) => namespace)), winners, 'the namespace of the memory');
    }
  }),
  verifies('PLUGIN-PAR-04', 'creates one namespace per name', async (probe) => {
    const name = probe.newName();
    const responses = await times(20, () => probe.putNamespace(name));
    for (const response of responses) expectStatus(response, 200);
    const made = new Set(responses.map(({ body }) => asObject(body).created_at));
    ensureEqual(made.size, 1, 'the number of different created_at values');
  }),
  verifies('PLUGIN-PAR-05', 'deletes a memory once', async (probe) => {
    const name = await probe.newNamespace();
    const id = await probe.remember(name, {});
    const statuses = (await times(10, () => probe.forget(id, name))).map(({ status }) => status).sort();
    ensureEqual(statuses, [204, ...new Array<number>(9).fill(404)], 'the statuses');
  }),
  verifies('PLUGIN-PAR-06', 'leaves nothing behind when a namespace is deleted', async (probe) => {
    const name = await probe.newNamespace();
    const id = randomUUID();
    const writes = times(30, async (number) => {
      await probe.wait(number);
      return probe.write(name, number % 3 === 0 ? { id } : {});
    });
    await probe.wait(10);
    expectStatus(await probe.deleteNamespace(name), 204);
    for (const response of await writes) expectStatus(response, 201, 404);
    await probe.newNamespace({}, name);
    const left = await probe.search({ namespaces: [name], limit: 100 });
    ensure(left.length === 0, `${left.length} memories are left: ${show(contentsOf(left))}`);
    expectStatus(await probe.write(await probe.newNamespace(), { id }), 201);
  }),
];
