import { ensure, ensureEqual, show } from '../../expectation.js';
import { expectInvalid, newWord, sourcesOf } from '../provider-probe.js';
import { verifies } from '../verifies.js';

const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';

export const retainCases = [
  verifies('PROVIDER-RETAIN-01', 'returns id and size', async (probe) => {
    const { id, bytes } = await probe.retain({ tier: 'AGENT', content: 'Grüße 🙂', mode: 'replace' });
    ensure(typeof id === 'string' && id !== '', `the id is ${show(id)}`);
    ensureEqual(bytes, 12, 'the size');
  }),
  verifies('PROVIDER-RETAIN-02', 'replaces the text', async (probe) => {
    const [old, fresh] = [newWord(), newWord()];
    await probe.retain({ tier: 'pins', content: `${old} and more`, mode: 'replace' });
    const { bytes } = await probe.retain({ tier: 'pins', content: fresh, mode: 'replace' });
    ensureEqual(bytes, fresh.length, 'the size');
    ensureEqual(sourcesOf(await probe.find(fresh)), ['pins.md'], 'the source of the new text');
    if (probe.has('read')) ensureEqual(await probe.textOf({ tier: 'pins' }), fresh, 'the text');
  }),
  verifies('PROVIDER-RETAIN-03', 'appends on a new line', async (probe) => {
    ensureEqual((await probe.retain({ tier: 'AGENT', content: 'one' })).bytes, 3, 'the size of the first');
    ensureEqual((await probe.retain({ tier: 'AGENT', content: 'two\n' })).bytes, 8, 'the size after a second line');
    ensureEqual((await probe.retain({ tier: 'AGENT', content: 'three' })).bytes, 13, 'the size after a third line');
    if (probe.has('read')) ensureEqual(await probe.textOf({ tier: 'AGENT' }), 'one\ntwo\nthree', 'the text');
  }),
  verifies('PROVIDER-RETAIN-04', 'requires a valid mode', async (probe) => {
    for (const mode of ['', undefined, 'Append', 'merge', 1]) {
      await expectInvalid(`the mode ${show(mode)}`, probe.retain({ tier: 'AGENT', content: 'x', mode }));
    }
    ensureEqual(await probe.sizeOf({ tier: 'AGENT' }), 0, 'the size of the stored text');
  }),
  verifies('PROVIDER-RETAIN-05', 'makes a text visible to all instances immediately', async (probe) => {
    const word = newWord();
    await probe.retain({ tier: 'AGENT', content: `A note about ${word}.` });
    for (const instance of [0, 1]) {
      ensureEqual(
        sourcesOf(await probe.find(word, {}, { instance })),
        ['AGENT.md'],
        `the source found by instance ${instance}`,
      );
    }
  }),
  verifies('PROVIDER-RETAIN-06', 'accepts only strings', async (probe) => {
    for (const content of [undefined, null, 7, ['x'], { text: 'x' }, 'a\u0000b']) {
      await expectInvalid(`the content ${show(content)}`, probe.retain({ tier: 'AGENT', content, mode: 'replace' }));
    }
  }),
  verifies('PROVIDER-RETAIN-07', 'stores no secrets', async (probe) => {
    const word = newWord();
    await probe.retain({ tier: 'AGENT', content: `${word}: GITHUB_TOKEN=${secret}`, mode: 'replace' });
    const hits = await probe.find(word);
    ensure(hits.length > 0, 'the text around the secret is not found');
    ensure(!JSON.stringify(hits).includes(secret.slice(4)), 'the secret is in a snippet');
    ensure(JSON.stringify(hits).includes('[REDACTED:'), 'there is no mark for the redacted secret');
    if (probe.has('read'))
      ensure(!(await probe.textOf({ tier: 'AGENT' })).includes(secret.slice(4)), 'the secret can be read');
  }),
];
