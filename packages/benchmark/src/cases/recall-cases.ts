import type { Found, Owner } from '../adapter.js';
import type { HostSession } from '../hosts/host-session.js';
import { type Case, type CaseContext, Finding, type Measure, NotMeasured } from './case.js';
import { type AskedQuestion, type Conversation, type DataSet, readDataSet } from './data-set.js';
import { ownSet } from './own-set.js';

const ranks = [1, 5, 10] as const;

export const recallCases: readonly Case[] = [
  {
    id: 'recall/own-set',
    title: 'Evidence recall on 40 statements and 30 questions of our own',
    needs: ['questions'],
    run: (context) => measure(context, ownSet),
  },
  {
    id: 'recall/data-set',
    title: 'Evidence recall on a data set, given with --data',
    needs: ['questions'],
    async run(context) {
      if (context.data === undefined)
        throw new NotMeasured('No data set was given. Name one with --data, such as locomo10.json of LoCoMo.');
      return measure(context, await readDataSet(context.data));
    },
  },
];

async function measure(context: CaseContext, { name, conversations }: DataSet): Promise<Measure[]> {
  const session = await context.open();
  const used = conversations.slice(0, context.conversations);
  const recalls: number[][] = [];
  for (const conversation of used) {
    const owner: Owner = { tenant: 'acme', user: `reader-${used.indexOf(conversation)}` };
    await store(session, owner, conversation);
    await session.settle();
    for (const question of conversation.questions) recalls.push(await ask(session, owner, conversation, question));
  }
  if (recalls.length === 0) throw new NotMeasured(`${name} has no questions with evidence.`);
  context.note(`${name}: ${used.length} conversations, ${recalls.length} questions`);
  return ranks.map((rank, index) => ({
    name: `R@${rank}`,
    value: recalls.reduce((sum, one) => sum + (one[index] ?? 0), 0) / recalls.length,
  }));
}

/** Stores the turns one after the other: writers at the same time are the subject of other cases. A refused turn is not found later, which counts. */
async function store(session: HostSession, owner: Owner, { turns }: Conversation): Promise<void> {
  const failures: string[] = [];
  for (const { text, session: talk } of turns)
    await session.remember(owner, { text, from: 'user', session: talk }).catch(({ message }) => failures.push(message));
  if (failures.length === turns.length) throw new Finding(`no text could be stored: ${failures[0]}`);
}

async function ask(
  session: HostSession,
  owner: Owner,
  { turns, evidenceOf }: Conversation,
  { text, evidence, sessionsBefore }: AskedQuestion,
): Promise<number[]> {
  const sessions = [...new Set(turns.map((turn) => turn.session))].slice(0, sessionsBefore);
  const byText = new Map(turns.map((turn) => [turn.text, turn]));
  const values: number[] = [];
  // Each rank is asked for by itself, because some systems return their results in another order than that of relevance.
  for (const rank of ranks) {
    const found = (await session.recall(owner, text, rank)).slice(0, rank);
    const ids = new Set(found.flatMap((one) => idsIn(one, byText, sessions, evidenceOf)));
    values.push(evidence.filter((id) => ids.has(id)).length / evidence.length);
  }
  return values;
}

function idsIn(
  { text }: Found,
  turns: ReadonlyMap<string, Conversation['turns'][number]>,
  sessions: readonly string[],
  evidenceOf: Conversation['evidenceOf'],
): string[] {
  const turn = turns.get(text);
  if (turn === undefined || !sessions.includes(turn.session)) return [];
  return [evidenceOf === 'turn' ? turn.id : turn.session];
}
