import { randomUUID } from 'node:crypto';
import { ensure, ensureEqual, show } from '../../expectation.js';
import { contentsOf, expectStatus, idsOf, memoriesOf } from '../plugin-probe.js';
import { verifies } from '../verifies.js';

const malformed = ['text', [], ['1'], [null], {}, 7, [[1]], [true]];

export const embeddingCases = [
  verifies('PLUGIN-EMB-01', 'ranks by cosine', async (probe) => {
    const name = await probe.newNamespace();
    // By dot product "wide" would win, and by distance "middle".
    await probe.remember(name, { content: 'narrow', embedding: await probe.vector(10, 1) });
    await probe.remember(name, { content: 'wide', embedding: await probe.vector(100, 100) });
    await probe.remember(name, { content: 'middle', embedding: await probe.vector(1, 0.5) });
    const found = await probe.search({ namespaces: [name], embedding: await probe.vector(1) });
    ensureEqual(contentsOf(found), ['narrow', 'middle', 'wide'], 'the order');
  }),
  verifies('PLUGIN-EMB-02', 'fuses words and vectors', async (probe) => {
    const name = await probe.newNamespace();
    const words = await probe.remember(name, { content: 'A lantern.', embedding: await probe.vector(0, 1) });
    const both = await probe.remember(name, { content: 'The lantern.', embedding: await probe.vector(1, 0.1) });
    const near = await probe.remember(name, { content: 'Boats.', embedding: await probe.vector(1, 0.1) });
    const found = await probe.search({ namespaces: [name], query: 'lantern', embedding: await probe.vector(1) });
    ensureEqual(idsOf(found)[0], both, 'the first id');
    ensureEqual(new Set(idsOf(found)), new Set([words, both, near]), 'the ids found');
  }),
  verifies('PLUGIN-EMB-03', 'rejects malformed vectors', async (probe) => {
    const name = await probe.newNamespace();
    for (const embedding of malformed) {
      const written = await probe.write(name, { embedding });
      ensure(
        written.status === 400,
        `a write with the embedding ${show(embedding)} is ${written.status} instead of 400`,
      );
      const asked = await probe.searchRaw({ namespaces: [name], embedding });
      ensure(asked.status === 400, `a search with the embedding ${show(embedding)} is ${asked.status} instead of 400`);
    }
    ensureEqual(await probe.search({ namespaces: [name] }), [], 'the stored memories after the rejections');
  }),
  verifies('PLUGIN-EMB-04', 'uses the vector of the replacement', async (probe) => {
    const name = await probe.newNamespace();
    const [right, up] = [await probe.vector(1), await probe.vector(0, 1)];
    const id = await probe.remember(name, { id: randomUUID(), content: 'Moves.', embedding: right });
    const other = await probe.remember(name, { content: 'Stays.', embedding: await probe.vector(0.5, 0.5) });
    ensureEqual(
      idsOf(await probe.search({ namespaces: [name], embedding: right }))[0],
      id,
      'the first id before the replacement',
    );
    await probe.remember(name, { id, content: 'Moves.', embedding: up });
    ensureEqual(
      idsOf(await probe.search({ namespaces: [name], embedding: right }))[0],
      other,
      'the first id near the old vector',
    );
    ensureEqual(
      idsOf(await probe.search({ namespaces: [name], embedding: up }))[0],
      id,
      'the first id near the new vector',
    );
  }),
  verifies('PLUGIN-EMB-05', 'handles vectors of a different length', async (probe) => {
    const name = await probe.newNamespace();
    const id = await probe.remember(name, { content: 'Boats.', embedding: await probe.vector(1) });
    const longer = [...(await probe.vector(1)), 1, 1, 1];
    for (const embedding of [longer, [1, 2]]) {
      expectStatus(await probe.write(name, { content: 'Another.', embedding }), 201, 400);
      expectStatus(await probe.searchRaw({ namespaces: [name], embedding }), 200, 400);
    }
    const found = await probe.search({ namespaces: [name], embedding: await probe.vector(1) });
    ensureEqual(idsOf(found)[0], id, 'the first id after that');
  }),
  verifies('PLUGIN-EMB-06', 'stores memories without a vector', async (probe) => {
    const name = await probe.newNamespace();
    const id = await probe.remember(name, 'No vector.');
    expectStatus(await probe.searchRaw({ namespaces: [name], embedding: await probe.vector(1) }), 200);
    ensureEqual(idsOf(await probe.search({ namespaces: [name] })), [id], 'the ids found without a query');
  }),
  verifies('PLUGIN-EMB-07', 'works without vectors', async (probe) => {
    const name = await probe.newNamespace();
    await probe.remember(name, 'A lantern.');
    const written = await probe.write(name, { content: 'Boats.', embedding: [1, 0, 0] });
    expectStatus(written, 201, 400);
    const asked = await probe.searchRaw({ namespaces: [name], embedding: [1, 0, 0] });
    expectStatus(asked, 200, 400);
    const stored = written.status === 201 ? ['Boats.', 'A lantern.'] : ['A lantern.'];
    if (asked.status === 200) ensure(contentsOf(memoriesOf(asked)).includes(stored[0]), `${stored[0]} is not found`);
    ensureEqual((await probe.search({ namespaces: [name] })).length, stored.length, 'the number stored');
  }),
];
