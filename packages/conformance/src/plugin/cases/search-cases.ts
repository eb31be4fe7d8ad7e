import { ensure, ensureEqual, show } from '../../expectation.js';
import { contentsOf, expectStatus, idsOf, type Json } from '../plugin-probe.js';
import { nameOfMode, searchModes, towards } from '../search-modes.js';
import { verifies } from '../verifies.js';

export const searchCases = [
  verifies('PLUGIN-SEARCH-01', 'returns an empty list if there is nothing', async (probe) => {
    const name = await probe.newNamespace();
    for (const mode of await searchModes(probe, 'harbour')) {
      const response = await probe.searchRaw({ namespaces: [name], ...mode });
      expectStatus(response, 200);
      ensureEqual((response.body as Json | undefined)?.memories, [], 'memories of an empty namespace');
    }
  }),
  verifies('PLUGIN-SEARCH-02', 'requires namespaces', async (probe) => {
    const name = await probe.newNamespace();
    const bodies = [{}, { namespaces: [] }, { namespaces: null }, { namespaces: name }, { namespaces: [7] }];
    for (const body of [
      ...bodies,
      { namespaces: [[name]] },
      { namespaces: { 0: name } },
      { namespaces: [name, null] },
    ]) {
      const { status } = await probe.searchRaw({ ...body, query: 'harbour' });
      ensure(status === 400, `a search with ${show(body)} is ${status} instead of 400`);
    }
  }),
  verifies('PLUGIN-SEARCH-03', 'finds only memories of the given namespaces', async (probe) => {
    const [one, two, other] = [await probe.newNamespace(), await probe.newNamespace(), await probe.newNamespace()];
    const embedding = await towards(probe);
    for (const name of [one, two, other])
      await probe.remember(name, { content: `The harbour of ${name}.`, ...embedding });
    for (const mode of await searchModes(probe, 'harbour')) {
      const single = await probe.search({ namespaces: [one], ...mode });
      ensureEqual(
        new Set(single.map(({ namespace }) => namespace)),
        new Set([one]),
        `namespaces found by ${nameOfMode(mode)}`,
      );
      const both = await probe.search({ namespaces: [one, two], ...mode });
      ensureEqual(
        new Set(both.map(({ namespace }) => namespace)),
        new Set([one, two]),
        `namespaces found by ${nameOfMode(mode)}`,
      );
    }
  }),
  verifies('PLUGIN-SEARCH-04', 'ignores missing namespaces', async (probe) => {
    const name = await probe.newNamespace();
    await probe.remember(name, { content: 'The harbour.', ...(await towards(probe)) });
    for (const mode of await searchModes(probe, 'harbour')) {
      const found = await probe.search({ namespaces: [probe.newName(), name, probe.newName()], ...mode });
      ensureEqual(contentsOf(found), ['The harbour.'], 'the result with missing namespaces');
      ensureEqual(
        await probe.search({ namespaces: [probe.newName()], ...mode }),
        [],
        'the result of a missing namespace',
      );
    }
  }),
  verifies('PLUGIN-SEARCH-05', 'returns the newest first', async (probe) => {
    const [one, two] = [await probe.newNamespace(), await probe.newNamespace()];
    for (const [name, content] of [
      [one, 'First.'],
      [two, 'Second.'],
      [one, 'Third.'],
      [two, 'Fourth.'],
    ] as const) {
      await probe.rememberInTurn(name, [content]);
    }
    const found = contentsOf(await probe.search({ namespaces: [one, two] }));
    ensureEqual(found, ['Fourth.', 'Third.', 'Second.', 'First.'], 'the order');
  }),
  verifies('PLUGIN-SEARCH-06', 'finds only the given kinds', async (probe) => {
    const name = await probe.newNamespace();
    const embedding = await towards(probe);
    for (const kind of ['fact', 'summary', 'checkpoint']) {
      await probe.remember(name, { content: `The harbour, a ${kind}.`, kind, ...embedding });
    }
    for (const mode of await searchModes(probe, 'harbour')) {
      for (const kinds of [['fact'], ['summary', 'checkpoint'], ['fact', 'summary', 'checkpoint']]) {
        const found = await probe.search({ namespaces: [name], kinds, ...mode });
        ensureEqual(new Set(found.map(({ kind }) => kind)), new Set(kinds), `kinds found by ${nameOfMode(mode)}`);
      }
    }
    for (const kinds of [['poem'], ['fact', 'poem'], 'fact', [1], { 0: 'fact' }]) {
      const { status } = await probe.searchRaw({ namespaces: [name], kinds });
      ensure(status === 400, `the kinds ${show(kinds)} are ${status} instead of 400`);
    }
  }),
  verifies('PLUGIN-SEARCH-07', 'accepts limits from 1 to 100', async (probe) => {
    const name = await probe.newNamespace();
    for (const limit of [1, 100]) expectStatus(await probe.searchRaw({ namespaces: [name], limit }), 200);
    for (const limit of [0, 101, -1, 1.5, '5', null, [5], true, 1e9]) {
      const { status } = await probe.searchRaw({ namespaces: [name], limit });
      ensure(status === 400, `the limit ${show(limit)} is ${status} instead of 400`);
    }
  }),
  verifies('PLUGIN-SEARCH-08', 'respects the limit', async (probe) => {
    const [one, two] = [await probe.newNamespace(), await probe.newNamespace()];
    const embedding = await towards(probe);
    for (const name of [one, two]) {
      for (const number of [1, 2, 3]) await probe.remember(name, { content: `Harbour ${number}.`, ...embedding });
    }
    for (const mode of await searchModes(probe, 'harbour')) {
      for (const limit of [1, 4]) {
        const found = await probe.search({ namespaces: [one, two], limit, ...mode });
        ensureEqual(found.length, limit, `the number found by ${nameOfMode(mode)}`);
      }
    }
  }),
  verifies('PLUGIN-SEARCH-09', 'returns twenty by default', async (probe) => {
    const name = await probe.newNamespace();
    const contents = Array.from({ length: 23 }, (_, number) => `Harbour ${number}.`);
    await probe.rememberMany(name, contents);
    ensureEqual((await probe.search({ namespaces: [name] })).length, 20, 'the number found without a limit');
    ensureEqual(
      (await probe.search({ namespaces: [name], limit: 100 })).length,
      23,
      'the number found with a limit of 100',
    );
  }),
  verifies('PLUGIN-SEARCH-10', 'counts a namespace once', async (probe) => {
    const name = await probe.newNamespace();
    const id = await probe.remember(name, { content: 'The harbour.', ...(await towards(probe)) });
    for (const mode of await searchModes(probe, 'harbour')) {
      ensureEqual(idsOf(await probe.search({ namespaces: [name, name], ...mode })), [id], 'the ids found');
    }
  }),
  verifies('PLUGIN-SEARCH-11', 'returns complete memories', async (probe) => {
    const name = await probe.newNamespace();
    await probe.remember(name, { content: 'The harbour.', ...(await towards(probe)) });
    for (const mode of await searchModes(probe, 'harbour')) {
      for (const memory of await probe.search({ namespaces: [name], ...mode })) {
        for (const field of ['id', 'namespace', 'content', 'kind', 'source', 'created_at']) {
          ensure(typeof memory[field] === 'string', `${field} is ${show(memory[field])} in ${show(memory)}`);
        }
        const { score = 0 } = memory;
        ensure(typeof score === 'number' && Number.isFinite(score), `the score is ${show(score)}`);
      }
    }
  }),
  verifies('PLUGIN-SEARCH-12', 'treats a blank query like no query', async (probe) => {
    const name = await probe.newNamespace();
    await probe.rememberInTurn(name, ['First.', 'Second.']);
    for (const query of ['', '  \n']) {
      const found = contentsOf(await probe.search({ namespaces: [name], query }));
      ensureEqual(found, ['Second.', 'First.'], `the result of the query ${show(query)}`);
    }
  }),
];
