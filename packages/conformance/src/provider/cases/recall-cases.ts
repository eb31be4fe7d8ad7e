import { ensure, ensureEqual, show } from '../../expectation.js';
import { expectInvalid, newWord, sourcesOf } from '../provider-probe.js';
import { verifies } from '../verifies.js';

const mostHits = 20;
const longestSnippet = 500;

export const recallCases = [
  verifies('PROVIDER-RECALL-01', 'finds nothing in empty memory', async (probe) => {
    ensureEqual(await probe.find(newWord()), [], 'the list of hits before anything was retained');
    await probe.retain({ tier: 'AGENT', content: 'Boats in the harbour.' });
    const { hits } = await probe.recall({ query: newWord(), tier: 'pins' });
    ensureEqual(hits, [], 'the list of hits in an empty tier');
  }),
  verifies('PROVIDER-RECALL-02', 'returns the source of a hit', async (probe) => {
    const word = newWord();
    const { id } = await probe.retain({ tier: 'daily', key: '2026-05-21', content: `Met about ${word}.` });
    ensureEqual(sourcesOf(await probe.find(word)), [id], 'the sources');
  }),
  verifies('PROVIDER-RECALL-03', 'shows an excerpt around the match', async (probe) => {
    const word = newWord();
    const long = `${'many words before '.repeat(400)}${word}${' and many words after'.repeat(400)}`;
    await probe.retain({ tier: 'daily', key: '2026-05-21', content: long });
    const hits = await probe.find(word);
    ensure(
      hits.some(({ snippet }) => snippet.toLowerCase().includes(word)),
      `no snippet contains the match: ${show(hits)}`,
    );
    for (const { snippet } of hits) {
      ensure(snippet.length <= longestSnippet, `a snippet has ${snippet.length} characters`);
    }
  }),
  verifies('PROVIDER-RECALL-04', 'returns at most twenty hits', async (probe) => {
    const word = newWord();
    for (let day = 1; day <= mostHits + 3; day++) {
      await probe.retain({
        tier: 'daily',
        key: `2026-05-${String(day).padStart(2, '0')}`,
        content: `Day ${day}: ${word}.`,
      });
    }
    for (const limit of [21, 100, 1_000_000]) {
      ensureEqual((await probe.find(word, { limit })).length, mostHits, `the number found with the limit ${limit}`);
    }
    ensure((await probe.find(word)).length <= mostHits, 'more than 20 hits are found without a limit');
  }),
  verifies('PROVIDER-RECALL-05', 'respects the limit', async (probe) => {
    const word = newWord();
    for (const key of ['ada', 'ben', 'cid', 'dee'])
      await probe.retain({ tier: 'peers', key, content: `Knows ${word}.` });
    for (const limit of [1, 3]) ensureEqual((await probe.find(word, { limit })).length, limit, 'the number found');
  }),
  verifies('PROVIDER-RECALL-06', 'searches one tier or all tiers', async (probe) => {
    const word = newWord();
    await probe.retain({ tier: 'AGENT', content: `First ${word}.` });
    await probe.retain({ tier: 'CREW', content: `Second ${word}.` });
    await probe.retain({ tier: 'peers', key: 'ada', content: `Third ${word}.` });
    ensureEqual(sourcesOf(await probe.find(word)), ['AGENT.md', 'CREW.md', 'peers/ada.md'], 'the sources in all tiers');
    ensureEqual(sourcesOf(await probe.find(word, { tier: 'CREW' })), ['CREW.md'], 'the sources in CREW');
    ensureEqual(sourcesOf(await probe.find(word, { tier: 'peers' })), ['peers/ada.md'], 'the sources in peers');
  }),
  verifies('PROVIDER-RECALL-07', 'matches any word, in any case', async (probe) => {
    const word = newWord();
    await probe.retain({ tier: 'AGENT', content: `The harbour has a ${word}.` });
    const queries = [word.toUpperCase(), `where did we see the ${word} yesterday evening?`];
    for (const query of queries)
      ensureEqual(sourcesOf(await probe.find(query)), ['AGENT.md'], `the source found for ${show(query)}`);
  }),
  verifies('PROVIDER-RECALL-08', 'returns line numbers', async (probe) => {
    const word = newWord();
    const lines = Array.from({ length: 60 }, (_, n) => `Line ${n + 1} of a long day at the harbour.`);
    lines[40] = `Line 41 has ${word}.`;
    await probe.retain({ tier: 'daily', key: '2026-05-21', content: lines.join('\n') });
    const hit = (await probe.find(word)).find(({ snippet }) => snippet.includes(word));
    ensure(hit !== undefined, 'the line is not found');
    const { line, snippet } = hit;
    ensure(Number.isInteger(line), `the line is ${show(line)}`);
    ensure(
      snippet.includes(lines[Number(line) - 1] ?? '\n'),
      `the line is ${show(line)}, which the snippet does not show`,
    );
  }),
  verifies('PROVIDER-RECALL-09', 'scores from 0 to 1', async (probe) => {
    const word = newWord();
    await probe.retain({ tier: 'AGENT', content: `${word} ${word} ${word}` });
    const hits = await probe.find(word);
    ensure(hits.length > 0, 'nothing is found');
    for (const { score } of hits) {
      const fits = score === undefined || (typeof score === 'number' && score >= 0 && score <= 1);
      ensure(fits, `a score is ${show(score)}`);
    }
  }),
  verifies('PROVIDER-RECALL-10', 'requires a query', async (probe) => {
    for (const query of ['', '   ', undefined, 7])
      await expectInvalid(`the query ${show(query)}`, probe.recall({ query }));
  }),
  verifies('PROVIDER-RECALL-11', 'does not find replaced text', async (probe) => {
    const word = newWord();
    await probe.retain({ tier: 'AGENT', content: `About ${word}.`, mode: 'replace' });
    ensureEqual((await probe.find(word)).length, 1, 'the number found before');
    await probe.retain({ tier: 'AGENT', content: 'About boats.', mode: 'replace' });
    const hits = await probe.find(word);
    ensure(!hits.some(({ snippet }) => snippet.includes(word)), 'the old text is still found');
  }),
  verifies('PROVIDER-RECALL-12', 'treats special characters as plain text', async (probe) => {
    const word = newWord();
    await probe.retain({ tier: 'AGENT', content: `The price of ${word} (100 %) isn't [fixed] * yet.` });
    for (const sign of ['(', '[', '*', '%', "'", '"', '\\', '.*', '&|!', ':*', '$1', '<b>']) {
      const hits = await probe.find(`${word} ${sign}`);
      ensureEqual(sourcesOf(hits), ['AGENT.md'], `the source found with ${show(sign)} in the query`);
    }
  }),
];
