import { randomUUID } from 'node:crypto';
import { ensure, ensureEqual, show } from '../../expectation.js';
import { contentsOf, expectStatus, idsOf, memoriesOf, type PluginProbe } from '../plugin-probe.js';
import { verifies } from '../verifies.js';

async function finds(probe: PluginProbe, name: string, query: string, id: string): Promise<void> {
  const found = await probe.search({ namespaces: [name], query });
  ensure(idsOf(found).includes(id), `${show(query)} does not find the memory, but ${show(contentsOf(found))}`);
}

export const wordCases = [
  verifies('PLUGIN-FTS-01', 'matches any word', async (probe) => {
    const name = await probe.newNamespace();
    const id = await probe.remember(name, 'Boats leave the harbour at dawn.');
    for (const query of ['harbour', 'zebra harbour', 'xylophone quartz boats', 'does anybody know when dawn begins']) {
      await finds(probe, name, query, id);
    }
  }),
  verifies('PLUGIN-FTS-02', 'ranks better matches first', async (probe) => {
    const name = await probe.newNamespace();
    const two = await probe.remember(name, 'The lantern of the harbour burns all night.');
    const one = await probe.remember(name, 'The harbour is quiet, and nobody is there at night.');
    const found = idsOf(await probe.search({ namespaces: [name], query: 'harbour lantern' }));
    ensure(found.includes(two) && found.includes(one), 'a memory with a word of the query is missing');
    ensure(found.indexOf(two) < found.indexOf(one), 'a memory with both words comes after a memory with only one');
  }),
  verifies('PLUGIN-FTS-03', 'ranks memories without a shared word last', async (probe) => {
    const name = await probe.newNamespace();
    await probe.rememberInTurn(name, ['Nothing to do with it.', 'Neither has this.']);
    const id = await probe.remember(name, 'A lantern.');
    await probe.rememberInTurn(name, ['Something else again.', 'And one more.']);
    ensureEqual(idsOf(await probe.search({ namespaces: [name], query: 'lantern' }))[0], id, 'the first id');
  }),
  verifies('PLUGIN-FTS-04', 'finds nothing for words that occur nowhere', async (probe) => {
    const name = await probe.newNamespace();
    await probe.rememberInTurn(name, ['Boats leave at dawn.', 'Bread is made of flour.']);
    const found = await probe.search({ namespaces: [name], query: `zq${randomUUID().replaceAll('-', '')}` });
    ensureEqual(contentsOf(found), [], 'the result');
  }),
  verifies('PLUGIN-FTS-05', 'ignores case and punctuation', async (probe) => {
    const name = await probe.newNamespace();
    const id = await probe.remember(name, 'Ask the (Harbour)-master; "LANTERN", please!');
    for (const query of ['harbour', 'HARBOUR', 'Harbour?', 'lantern', '"lantern"', 'lantern,', '(lantern)']) {
      await finds(probe, name, query, id);
    }
  }),
  verifies('PLUGIN-FTS-06', 'matches words with accents and in other alphabets', async (probe) => {
    const name = await probe.newNamespace();
    const pairs = [
      ['Der Zug nach Köln hält hier.', 'Köln'],
      ['Ein Café mit Aussicht.', 'café'],
      ['Поезд идёт в Москву ночью.', 'Москву'],
      ['Το λιμάνι είναι μεγάλο.', 'λιμάνι'],
      ['הנמל נפתח בבוקר', 'הנמל'],
    ] as const;
    for (const [content, query] of pairs) await finds(probe, name, query, await probe.remember(name, content));
  }),
  verifies('PLUGIN-FTS-07', 'matches words in scripts without spaces', async (probe) => {
    const name = await probe.newNamespace();
    await finds(probe, name, '東京', await probe.remember(name, '来週東京へ行きます。'));
    await finds(probe, name, '北京', await probe.remember(name, '我住在北京市。'));
  }),
  verifies('PLUGIN-FTS-08', 'does not find replaced words', async (probe) => {
    const name = await probe.newNamespace();
    const before = `zq${randomUUID().slice(0, 8)}`;
    const id = await probe.remember(name, { id: randomUUID(), content: `The ${before} is here.` });
    await finds(probe, name, before, id);
    await probe.remember(name, { id, content: 'Bread is made of flour.' });
    await finds(probe, name, 'flour', id);
    const found = await probe.search({ namespaces: [name], query: before });
    ensureEqual(contentsOf(found), [], 'the result for the old word');
  }),
  verifies('PLUGIN-FTS-09', 'treats special characters in a query as text', async (probe) => {
    const name = await probe.newNamespace();
    await probe.remember(name, 'The invoice was paid in March.');
    const id = await probe.remember(name, 'A lantern.');
    const signs = ['%', '_', '.*', '(', '!', '& |', ':*', '"', "'", '\\', '--'];
    for (const sign of signs) {
      expectStatus(await probe.searchRaw({ namespaces: [name], query: sign }), 200, 400);
      const found = await probe.search({ namespaces: [name], query: `lantern ${sign}` });
      ensureEqual(idsOf(found), [id], `the ids found for ${show(`lantern ${sign}`)}`);
    }
  }),
  verifies('PLUGIN-FTS-10', 'works without text search', async (probe) => {
    const name = await probe.newNamespace();
    await probe.remember(name, 'A lantern.');
    const response = await probe.searchRaw({ namespaces: [name], query: 'lantern' });
    expectStatus(response, 200, 400);
    if (response.status === 200) ensureEqual(contentsOf(memoriesOf(response)), ['A lantern.'], 'the result');
  }),
];
