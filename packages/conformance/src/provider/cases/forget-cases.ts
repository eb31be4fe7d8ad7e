import { randomUUID } from 'node:crypto';
import { ensure, ensureEqual, show } from '../../expectation.js';
import { expectInvalid, failureOf, newWord, sourcesOf } from '../provider-probe.js';
import { verifies } from '../verifies.js';

export const forgetCases = [
  verifies('PROVIDER-FORGET-01', 'removes a text', async (probe) => {
    const word = newWord();
    const { id } = await probe.retain({ tier: 'peers', key: 'ada', content: `Knows ${word}.` });
    ensureEqual((await probe.forget({ id })).removed, 1, 'removed');
    ensureEqual(await probe.find(word), [], 'what is found after that');
    ensureEqual(await probe.sizeOf({ tier: 'peers', key: 'ada' }), 0, 'the size after that');
  }),
  verifies('PROVIDER-FORGET-02', 'does not mind what is gone', async (probe) => {
    const { id } = await probe.retain({ tier: 'AGENT', content: 'A note.' });
    await probe.forget({ id });
    ensureEqual((await probe.forget({ id })).removed, 0, 'removed the second time');
    ensureEqual((await probe.forget({ id: 'daily/2001-01-01.md' })).removed, 0, 'removed of what never was');
  }),
  verifies('PROVIDER-FORGET-03', 'wants one selector', async (probe) => {
    const { id } = await probe.retain({ tier: 'AGENT', content: 'A note.' });
    await expectInvalid('forgetting without a selector', probe.forget({}), 'INVALID_REQUEST');
    await expectInvalid('forgetting with both', probe.forget({ id, dataSubjectId: 'somebody' }), 'INVALID_REQUEST');
    ensureEqual((await probe.forget({ id })).removed, 1, 'removed after the refusals');
  }),
  verifies('PROVIDER-FORGET-04', 'leaves the rest alone', async (probe) => {
    const word = newWord();
    const { id } = await probe.retain({ tier: 'peers', key: 'ada', content: `Knows ${word}.` });
    await probe.retain({ tier: 'peers', key: 'ada-b', content: `Knows ${word}.` });
    await probe.retain({ tier: 'AGENT', content: `Knows ${word}.` });
    await probe.forget({ id });
    ensureEqual(sourcesOf(await probe.find(word)), ['AGENT.md', 'peers/ada-b.md'], 'what is left');
  }),
  verifies('PROVIDER-FORGET-05', 'is not led elsewhere', async (probe) => {
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
    ensureEqual(sourcesOf(await probe.find(word)), ['AGENT.md'], 'what is left');
  }),
  verifies('PROVIDER-FORGET-06', 'forgets people', async (probe) => {
    const outcome = await probe.forget({ dataSubjectId: `nobody-${randomUUID()}` }).then(
      ({ removed }) => removed,
      (error: { code?: unknown }) => error.code,
    );
    ensure(outcome === 0 || outcome === 'FORBIDDEN', `the answer is ${show(outcome)}`);
  }),
  verifies('PROVIDER-FORGET-07', 'says that it cannot forget people', async (probe) => {
    const failure = await expectInvalid(
      'a dataSubjectId',
      probe.forget({ dataSubjectId: 'somebody' }),
      'NOT_IMPLEMENTED',
    );
    ensure(/not implemented/i.test(failure.message), `the message is ${show(failure.message)}`);
  }),
  verifies('PROVIDER-OWNER-01', 'serves its own owner', async (probe) => {
    const { id } = await probe.retain({ tier: 'AGENT', content: 'A note.' });
    for (const name of ['workspaceId', 'agentId', 'crewId']) {
      const other = { [name]: `other-${randomUUID()}` };
      await expectInvalid(`retaining with another ${name}`, probe.retain({ ...other, tier: 'AGENT', content: 'x' }));
      await expectInvalid(`recalling with another ${name}`, probe.recall({ ...other, query: 'note' }));
      await expectInvalid(`forgetting with another ${name}`, probe.forget({ ...other, id }));
      if (probe.has('read'))
        await expectInvalid(`reading with another ${name}`, probe.read({ ...other, tier: 'AGENT' }));
    }
    ensureEqual(await probe.sizeOf({ tier: 'AGENT' }), 7, 'the size after the refusals');
  }),
  verifies('PROVIDER-OWNER-02', 'keeps owners apart', async (probe) => {
    const word = newWord();
    const owner = probe.newOwner();
    const { id } = await probe.retain({ tier: 'AGENT', content: `About ${word}.` });
    await probe.retain({ tier: 'CREW', content: `About ${word}.` });
    ensureEqual(await probe.find(word, {}, { owner }), [], 'what another owner finds');
    ensureEqual((await probe.forget({ id }, { owner })).removed, 0, 'removed by another owner');
    if (probe.has('read'))
      ensureEqual(await probe.textOf({ tier: 'AGENT' }, { owner }), '', 'what another owner reads');
    ensureEqual(sourcesOf(await probe.find(word)), ['AGENT.md', 'CREW.md'], 'what its own owner finds');
  }),
  verifies('PROVIDER-OWNER-03', 'wants a workspace', async (probe) => {
    const workspaceId = undefined;
    const calls = {
      retaining: probe.retain({ workspaceId, tier: 'AGENT', content: 'x' }),
      recalling: probe.recall({ workspaceId, query: 'x' }),
      forgetting: probe.forget({ workspaceId, id: 'AGENT.md' }),
      ...(probe.has('read') && { reading: probe.read({ workspaceId, tier: 'AGENT' }) }),
    };
    const failures = await Promise.all(
      Object.entries(calls).map(([what, call]) => failureOf(`${what} without one`, call)),
    );
    for (const { name } of failures) ensureEqual(name, 'ProviderInvalid', 'the error');
  }),
];
