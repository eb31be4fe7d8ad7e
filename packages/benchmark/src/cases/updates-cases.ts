import type { HostSession } from '../hosts/host-session.js';
import { type Case, type CaseContext, expectNone, Finding, sentenceWith, somebody } from './case.js';

const callers = 16;
const perCaller = 4;

export const updatesCases: readonly Case[] = [
  {
    id: 'updates/callers',
    title: `${callers} callers at once store ${callers * perCaller} memories, and all are there`,
    needs: [],
    async run(context) {
      await raceToStore(context, [await context.open()]);
      return undefined;
    },
  },
  {
    id: 'updates/processes',
    title: `Three processes at once store ${callers * perCaller} memories, and all are there`,
    needs: ['processes', 'restart'],
    async run(context) {
      const first = await context.open();
      await raceToStore(context, [first, await context.open(), await context.open()]);
      return undefined;
    },
  },
  {
    id: 'updates/record',
    title: 'Several writers add to one record at once, and every acknowledged line is in it',
    needs: ['append'],
    run: raceToAppend,
  },
];

async function raceToStore(context: CaseContext, sessions: readonly HostSession[]): Promise<void> {
  const acknowledged: string[] = [];
  const refused: string[] = [];
  const words = Array.from({ length: callers }, () => Array.from({ length: perCaller }, () => context.random.canary()));
  await Promise.all(
    words.map(async (own, caller) => {
      const session = sessions[caller % sessions.length] as HostSession;
      for (const word of own) {
        try {
          await session.remember(somebody, { text: sentenceWith(word), from: 'user', session: `s${caller}` });
          acknowledged.push(word);
        } catch (error) {
          refused.push((error as Error).message.split('\n')[0] ?? '');
        }
      }
    }),
  );
  if (refused.length > 0) context.note(`refused ${refused.length} of ${callers * perCaller} writes: ${refused[0]}`);
  if (acknowledged.length === 0) throw new Finding(`every write failed: ${refused[0]}`);
  const texts = (await (sessions[0] as HostSession).list(somebody)).map(({ text }) => text).join('\n');
  const lost = acknowledged.filter((word) => !texts.includes(word));
  expectNone(lost, `${lost.length} of ${acknowledged.length} acknowledged writes are lost`);
}

async function raceToAppend(context: CaseContext): Promise<undefined> {
  const first = await context.open();
  const { processes, restart } = context.adapter.claims;
  const sessions = processes.claimed && restart.claimed ? [first, await context.open()] : [first];
  const id = await first.remember(somebody, { text: 'Shopping list.', from: 'user' });
  const words = Array.from({ length: callers }, () => context.random.canary());
  const acknowledged: string[] = [];
  await Promise.all(
    words.map(async (word, caller) => {
      try {
        await sessions[caller % sessions.length]?.append(somebody, id, `Item ${word}.`);
        acknowledged.push(word);
      } catch (error) {
        context.note(`refused a line: ${(error as Error).message.split('\n')[0]}`);
      }
    }),
  );
  if (acknowledged.length === 0) throw new Finding('no line could be added');
  const texts = (await first.list(somebody)).map(({ text }) => text).join('\n');
  const lost = acknowledged.filter((word) => !texts.includes(word));
  expectNone(lost, `${lost.length} of ${acknowledged.length} acknowledged lines are lost`);
}
