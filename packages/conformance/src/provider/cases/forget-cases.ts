import { randomUUID } from 'node:crypto';
import { ensure, ensureEqual, show } from '../../expectation.js';
import { expectInvalid, failureOf, newWord, type ProviderProbe, sourcesOf } from '../provider-probe.js';
import type { Owner } from '../provider-target.js';
import { verifies } from '../verifies.js';

export const forgetCases = [
  verifies('PROVIDER-FORGET-01', 'removes a text', async (probe) => {
    const word = newWord();
    const { id } = await probe.retain({ tier: 'peers', key: 'ada', content: `Knows ${word}.` });
    ensureEqual((await probe.forget({ id })).removed, 1, 'removed');
    ensureEqual(await probe.find(word), [], 'the search result after that');
    ensureEqual(await probe.sizeOf({ tier: 'peers', key: 'ada' }), 0, 'the size after that');
  }),
  verifies('PROVIDER-FORGET-02', 'accepts ids of missing texts', async (probe) => {
    const { id } = await probe.retain({ tier: 'AGENT', content: 'A note.' });
    await probe.forget({ id });
    ensureEqual((await probe.forget({ id })).removed, 0, 'removed the second time');
    ensureEqual(
      (await probe.forget({ id: 'daily/2001-01-01.md' })).removed,
      0,
      'removed for a text that never existed',
    );
  }),
  verifies('PROVIDER-FORGET-03', 'requires exactly one selector', async (probe) => {
    const { id } = await probe.retain({ tier: 'AGENT', content: 'A note.' });
    await expectInvalid('forgetting without a selector', probe.forget({}), 'INVALID_REQUEST');
    await expectInvalid(
      'forgetting with both selectors',
      probe.forget({ id, dataSubjectId: 'somebody' }),
      'INVALID_REQUEST',
    );
    ensureEqual((await probe.forget({ id })).removed, 1, 'removed after the rejections');
  }),
  verifies('PROVIDER-FORGET-04', 'keeps other texts', async (probe) => {
    const word = newWord();
    const { id } = await probe.retain({ tier: 'peers', key: 'ada', content: `Knows ${word}.` });
    await probe.retain({ tier: 'peers', key: 'ada-b', content: `Knows ${word}.` });
    await probe.retain({ tier: 'AGENT', content: `Knows ${word}.` });
    await probe.forget({ id });
    ensureEqual(sourcesOf(await probe.find(word)), ['AGENT.md', 'peers/ada-b.md'], 'the remaining texts');
  }),
  verifies('PROVIDER-FORGET-05', 'does not follow path traversal', async (probe) => {
    const word = newWord();
    await probe.retain({ tier: 'AGENT', content: `About ${word}.` });
    for (const id of [
      '../AGENT.md',
      'daily/../AGENT.md',
      './AGENT.md',
      '/AGENT.md',
      'AGENT.md\u0000',
      '.',
      '..',
      'daily',
      '*',
    ]) {
      const outcome = await probe.forget({ id }).then(
        ({ removed }) => removed,
        () => 0,
      );
      ensureEqual(outcome, 0, `removed by ${show(id)}`);
    }
    ensureEqual(sourcesOf(await probe.find(word)), ['AGENT.md'], 'the remaining texts');
  }),
  verifies('PROVIDER-FORGET-06', 'forgets data subjects', async (probe) => {
    const outcome = await probe.forget({ dataSubjectId: `nobody-${randomUUID()}` }).then(
      ({ removed }) => removed,
      (error: { code?: unknown }) => error.code,
    );
    ensure(outcome === 0 || outcome === 'FORBIDDEN', `the outcome is ${show(outcome)} instead of 0 or FORBIDDEN`);
  }),
  verifies('PROVIDER-FORGET-07', 'reports that it cannot forget data subjects', async (probe) => {
    const failure = await expectInvalid(
      'a dataSubjectId',
      probe.forget({ dataSubjectId: 'somebody' }),
      'NOT_IMPLEMENTED',
    );
    ensure(/not implemented/i.test(failure.message), `the message is ${show(failure.message)}`);
  }),
  verifies('PROVIDER-OWNER-01', 'serves only its own owner', async (probe) => {
    const { id } = await probe.retain({ tier: 'AGENT', content: 'A note.' });
    for (const name of ['workspaceId', 'agentId', 'crewId']) {
      const other = { [name]: `other-${randomUUID()}` };
      await expectInvalid(`retaining with another ${name}`, probe.retain({ ...other, tier: 'AGENT', content: 'x' }));
      await expectInvalid(`recalling with another ${name}`, probe.recall({ ...other, query: 'note' }));
      await expectInvalid(`forgetting with another ${name}`, probe.forget({ ...other, id }));
      if (probe.has('read'))
        await expectInvalid(`reading with another ${name}`, probe.read({ ...other, tier: 'AGENT' }));
    }
    ensureEqual(await probe.sizeOf({ tier: 'AGENT' }), 7, 'the size after the rejections');
  }),
  verifies('PROVIDER-OWNER-02', 'isolates owners', async (probe) => {
    const word = newWord();
    const owner = probe.newOwner();
    const { id } = await probe.retain({ tier: 'AGENT', content: `About ${word}.` });
    await probe.retain({ tier: 'CREW', content: `About ${word}.` });
    ensureEqual(await probe.find(word, {}, { owner }), [], 'the search result of another owner');
    ensureEqual((await probe.forget({ id }, { owner })).removed, 0, 'removed by another owner');
    if (probe.has('read'))
      ensureEqual(await probe.textOf({ tier: 'AGENT' }, { owner }), '', 'the text read by another owner');
    ensureEqual(sourcesOf(await probe.find(word)), ['AGENT.md', 'CREW.md'], 'the search result of its own owner');
  }),
  verifies('PROVIDER-OWNER-04', 'shares CREW within a crew', async (probe) => {
    const [word, other] = [newWord(), newWord()];
    const mate = mateOf(probe);
    await probe.retain({ tier: 'CREW', content: `About ${word}.` });
    await probe.retain({ tier: 'AGENT', content: `About ${word}.` });
    ensureEqual(
      sourcesOf(await probe.find(word, {}, { owner: mate })),
      ['CREW.md'],
      'what another agent of the crew finds',
    );
    await probe.retain({ tier: 'CREW', content: `About ${other}.` }, { owner: mate });
    ensureEqual(sourcesOf(await probe.find(other, { tier: 'CREW' })), ['CREW.md'], 'what the other agent added');
    if (probe.has('read')) {
      ensureEqual(await probe.textOf({ tier: 'CREW' }), `About ${word}.\nAbout ${other}.`, 'the text of both');
    }
    ensureEqual((await probe.forget({ id: 'CREW.md' }, { owner: mate })).removed, 1, 'removed by the other agent');
    ensureEqual(sourcesOf(await probe.find(word)), ['AGENT.md'], 'the search result after that');
  }),
  verifies('PROVIDER-OWNER-05', 'has a CREW for each agent', async (probe) => {
    const word = newWord();
    await probe.retain({ tier: 'CREW', content: `About ${word}.` });
    ensureEqual(await probe.find(word, {}, { owner: mateOf(probe) }), [], 'the search result of another agent');
  }),
  verifies('PROVIDER-OWNER-03', 'requires a workspace', async (probe) => {
    const workspaceId = undefined;
    const calls = {
      retaining: probe.retain({ workspaceId, tier: 'AGENT', content: 'x' }),
      recalling: probe.recall({ workspaceId, query: 'x' }),
      forgetting: probe.forget({ workspaceId, id: 'AGENT.md' }),
      ...(probe.has('read') && { reading: probe.read({ workspaceId, tier: 'AGENT' }) }),
    };
    const failures = await Promise.all(
      Object.entries(calls).map(([what, call]) => failureOf(`${what} without a workspace`, call)),
    );
    for (const { name } of failures) ensureEqual(name, 'ProviderInvalid', 'the error');
  }),
];

/** Returns another agent of the same crew. */
function mateOf(probe: ProviderProbe): Owner {
  const { workspaceId, crewId } = probe.owner;
  return { ...probe.newOwner(), workspaceId, crewId };
}
