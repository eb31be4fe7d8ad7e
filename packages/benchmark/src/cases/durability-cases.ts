import { setTimeout as sleep } from 'node:timers/promises';
import type { Owner } from '../adapter.js';
import { type Case, type CaseContext, expectNone, sentenceWith, somebody } from './case.js';

const rounds = 3;
/** Acknowledged writes before each kill. */
const atLeast = 20;
/** Each is a user of its own, so that racing writes do not count here: see `updates`. */
const writers = ['ann', 'bob', 'cleo', 'dan', 'eve', 'finn', 'gus', 'hal'];

export const durabilityCases: readonly Case[] = [
  {
    id: 'durability/writes',
    title: `What was acknowledged is there after a SIGKILL, ${rounds} times in a row`,
    needs: ['restart'],
    run: killWhileWriting,
  },
  {
    id: 'durability/deletes',
    title: 'What was deleted stays deleted after a SIGKILL, and the rest is there',
    needs: ['restart', 'forget'],
    run: killWhileDeleting,
  },
];

async function killWhileWriting(context: CaseContext): Promise<undefined> {
  const owners = context.adapter.claims.users.claimed ? writers.map((user) => ({ tenant: 'acme', user })) : [somebody];
  const acknowledged: { owner: Owner; word: string }[] = [];
  for (let round = 0; round < rounds; round++) {
    const session = await context.open();
    let isRunning = true;
    let began = (): void => undefined;
    const started = new Promise<void>((resolve) => {
      began = resolve;
    });
    const write = async (owner: Owner): Promise<void> => {
      while (isRunning) {
        const word = context.random.canary();
        try {
          await session.remember(owner, { text: sentenceWith(word), from: 'user', session: `s${round}` });
        } catch {
          return;
        }
        acknowledged.push({ owner, word });
        if (acknowledged.length >= (round + 1) * atLeast) began();
      }
    };
    const writing = Promise.all(owners.map(write));
    await Promise.race([started, writing]);
    await sleep(context.random.integer(0, 600));
    isRunning = false;
    await session.kill();
    await writing;
  }
  const session = await context.open();
  const lost: string[] = [];
  for (const owner of owners) {
    const texts = (await session.list(owner)).map(({ text }) => text).join('\n');
    const own = acknowledged.filter((one) => one.owner === owner).map(({ word }) => word);
    lost.push(...own.filter((word) => !texts.includes(sentenceWith(word))));
  }
  expectNone(lost, `${lost.length} of ${acknowledged.length} acknowledged writes are lost or broken`);
  const word = context.random.canary();
  await session.remember(somebody, { text: sentenceWith(word), from: 'user' });
  context.note(`${acknowledged.length} acknowledged writes of ${owners.length} users, ${rounds} kills`);
  return undefined;
}

async function killWhileDeleting(context: CaseContext): Promise<undefined> {
  const first = await context.open();
  const memories: { id: string; word: string }[] = [];
  for (let index = 0; index < 16; index++) {
    const word = context.random.canary();
    memories.push({ id: await first.remember(somebody, { text: sentenceWith(word), from: 'user' }), word });
  }
  const count = context.random.integer(4, 12);
  const [deleted, kept] = [memories.slice(0, count), memories.slice(count)];
  for (const { id } of deleted) await first.forget(somebody, id);
  await first.kill();
  const session = await context.open();
  const texts = (await session.list(somebody)).map(({ text }) => text).join('\n');
  expectNone(
    [
      ...deleted.filter(({ word }) => texts.includes(word)).map(({ word }) => `${word} was deleted and is back`),
      ...kept.filter(({ word }) => !texts.includes(word)).map(({ word }) => `${word} was not deleted and is gone`),
    ],
    'the kill changed what is stored',
  );
  return undefined;
}
