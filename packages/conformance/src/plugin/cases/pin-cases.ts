import { randomUUID } from 'node:crypto';
import { ensure, ensureEqual, show } from '../../expectation.js';
import { contentsOf, expectStatus, idsOf } from '../plugin-probe.js';
import { verifies } from '../verifies.js';

export const pinCases = [
  verifies('PLUGIN-PIN-01', 'reports which memories are pinned', async (probe) => {
    const name = await probe.newNamespace();
    const id = await probe.remember(name, { id: randomUUID(), content: 'Pinned.', pin: true });
    await probe.remember(name, 'Not pinned.');
    await probe.remember(name, { content: 'Not pinned either.', pin: false });
    for (const memory of await probe.search({ namespaces: [name] })) {
      ensureEqual(memory.pin ?? false, memory.id === id, `the pin of ${show(memory.content)}`);
    }
    await probe.remember(name, { id, content: 'No longer.' });
    const found = (await probe.search({ namespaces: [name] })).find((memory) => memory.id === id);
    ensureEqual(found?.pin ?? false, false, 'the pin after it was replaced without one');
  }),
  verifies('PLUGIN-PIN-02', 'returns pinned memories first', async (probe) => {
    const [one, two] = [await probe.newNamespace(), await probe.newNamespace()];
    await probe.rememberInTurn(one, [{ content: 'Older pin.', pin: true }, 'Old.']);
    await probe.rememberInTurn(two, [{ content: 'Newer pin.', pin: true }, 'New.']);
    const found = contentsOf(await probe.search({ namespaces: [one, two] }));
    ensureEqual(found, ['Newer pin.', 'Older pin.', 'New.', 'Old.'], 'the order');
    ensureEqual(
      contentsOf(await probe.search({ namespaces: [one, two], limit: 1 })),
      ['Newer pin.'],
      'the first result',
    );
  }),
  verifies('PLUGIN-PIN-03', 'ranks pinned matches before better ones', async (probe) => {
    const name = await probe.newNamespace();
    const pinned = await probe.remember(name, {
      content: 'Many things are on the table tonight, bread and salt and a knife, and in the corner stands a lantern.',
      pin: true,
    });
    await probe.remember(name, 'Lantern of the harbour.');
    await probe.remember(name, 'The harbour lantern.');
    const found = await probe.search({ namespaces: [name], query: 'harbour lantern' });
    ensureEqual(found.length, 3, 'the number found');
    ensureEqual(found[0]?.id, pinned, 'the first id');
  }),
  verifies('PLUGIN-PIN-04', 'never cuts off a pinned match', async (probe) => {
    const name = await probe.newNamespace();
    const pinned = await probe.remember(name, {
      content: 'Many things are on the table tonight, bread and salt and a knife, and in the corner stands a lantern.',
      pin: true,
    });
    // More than the largest limit, so that the pinned memory cannot be among the best by chance.
    const better = Array.from({ length: 110 }, (_, number) => `Harbour lantern ${number}.`);
    await probe.rememberMany(name, better);
    const found = await probe.search({ namespaces: [name], query: 'harbour lantern', limit: 1 });
    ensureEqual(idsOf(found), [pinned], 'the ids found');
  }),
  verifies('PLUGIN-PIN-05', 'does not return pinned memories that do not match', async (probe) => {
    const name = await probe.newNamespace();
    const word = `zq${randomUUID().slice(0, 8)}`;
    await probe.remember(name, { content: 'Bread is made of flour.', pin: true });
    const id = await probe.remember(name, `The ${word} is here.`);
    ensureEqual(idsOf(await probe.search({ namespaces: [name], query: word })), [id], 'the ids found');
  }),
  verifies('PLUGIN-PIN-06', 'ranks pinned memories before nearer ones', async (probe) => {
    const name = await probe.newNamespace();
    await probe.remember(name, { content: 'Near.', embedding: await probe.vector(1) });
    await probe.remember(name, { content: 'Pinned.', pin: true, embedding: await probe.vector(1, 0.8) });
    const found = await probe.search({ namespaces: [name], embedding: await probe.vector(1) });
    ensureEqual(contentsOf(found), ['Pinned.', 'Near.'], 'the order');
  }),
  verifies('PLUGIN-PIN-07', 'rejects pins that are not boolean', async (probe) => {
    const name = await probe.newNamespace();
    for (const pin of ['yes', 'true', 1, 0, [], {}]) {
      const { status } = await probe.write(name, { pin });
      ensure(status === 400, `the pin ${show(pin)} is ${status} instead of 400`);
    }
  }),
  verifies('PLUGIN-PIN-08', 'works without pins', async (probe) => {
    const name = await probe.newNamespace();
    const written = await probe.write(name, { content: 'Older.', pin: true });
    expectStatus(written, 201, 400);
    await probe.wait(10);
    await probe.remember(name, 'Newer.');
    const found = await probe.search({ namespaces: [name] });
    const isClaimed = found.some(({ pin }) => pin === true);
    const order = isClaimed ? ['Older.', 'Newer.'] : ['Newer.', 'Older.'];
    ensureEqual(contentsOf(found), written.status === 201 ? order : ['Newer.'], 'the result');
  }),
];
