import type { Owner } from '../adapter.js';
import type { HostSession } from '../hosts/host-session.js';
import { type Case, type CaseContext, expectNone, Finding, sentenceWith, somebody, somebodyElse } from './case.js';

/** Ids that are almost another id. */
const users = ['user1', 'user10', 'user11', 'ann', 'Ann', 'anne', 'me', 'me@example.org', 'm', '1', '01'];

/** Ids that mean something in a query language, a path or a pattern, among ids that they might match. */
const patterns = ['abc', 'a_c', 'a%', '%', '*', 'a*', '?', '.', '..', '/', 'abc/..', '$ne', 'null', "' OR '1'='1"];

/** The two owners of each pair are the same text once tenant and user are joined. */
const joined = [':', '/', '.', '-', '_', '|'].flatMap((mark): Owner[] => [
  { tenant: 'acme', user: `east${mark}ann` },
  { tenant: `acme${mark}east`, user: 'ann' },
]);

export const isolationCases: readonly Case[] = [
  {
    id: 'isolation/users',
    title: 'No user finds what another user stored',
    needs: ['users'],
    run: (context) =>
      keepApart(
        context,
        users.map((user) => ({ tenant: 'acme', user })),
      ),
  },
  {
    id: 'isolation/patterns',
    title: 'Nor does a user whose id is a pattern, a path or a piece of a query, unless such ids are refused',
    needs: ['users'],
    run: (context) =>
      keepApart(
        context,
        patterns.map((user) => ({ tenant: 'acme', user })),
      ),
  },
  {
    id: 'isolation/tenants',
    title: 'No tenant finds what another tenant stored',
    needs: ['tenants'],
    run: (context) =>
      keepApart(context, [somebody, { tenant: 'acme-2', user: 'ann' }, { tenant: 'ACME', user: 'ann' }]),
  },
  {
    id: 'isolation/joined',
    title: 'Nor does one whose tenant and user, written together, are those of another, unless such ids are refused',
    needs: ['tenants'],
    run: (context) => keepApart(context, [somebody, ...joined]),
  },
  {
    id: 'isolation/ids',
    title: 'Nobody reads, changes or deletes the memory of another by its id',
    needs: ['users', 'scopedIds'],
    run: useForeignIds,
  },
];

async function keepApart(context: CaseContext, owners: readonly Owner[]): Promise<undefined> {
  const session = await context.open();
  const stored: { owner: Owner; word: string }[] = [];
  for (const owner of owners) {
    const word = context.random.canary();
    try {
      await session.remember(owner, { text: sentenceWith(word), from: 'user' });
      stored.push({ owner, word });
    } catch (error) {
      context.note(`refused the owner ${nameOf(owner)}: ${(error as Error).message.split('\n')[0]}`);
    }
  }
  if (stored.length === 0) throw new Finding('refused every owner');
  await session.settle();
  const faults: string[] = [];
  for (const { owner, word } of stored) {
    const seen = await everythingSeen(
      session,
      owner,
      stored.map((one) => one.word),
    );
    if (!seen.includes(word)) faults.push(`${nameOf(owner)} does not find what it stored`);
    for (const other of stored) {
      if (other.word !== word && seen.includes(other.word))
        faults.push(`${nameOf(owner)} finds what ${nameOf(other.owner)} stored`);
    }
  }
  expectNone(faults, 'memories are not kept apart');
}

/** What an owner gets to see by asking for everything, and for each word of everybody. */
async function everythingSeen(session: HostSession, owner: Owner, words: readonly string[]): Promise<string> {
  const found = await session.list(owner);
  for (const word of words) found.push(...(await session.recall(owner, `What is ${word}?`, 20)));
  return found.map(({ text }) => text).join('\n');
}

async function useForeignIds(context: CaseContext): Promise<undefined> {
  const session = await context.open();
  const word = context.random.canary();
  const text = sentenceWith(word);
  const id = await session.remember(somebody, { text, from: 'user' });
  const faults: string[] = [];
  const read = await session.read(somebodyElse, id).catch(() => null);
  if (read?.includes(word)) faults.push('another user reads it by its id');
  const { claims } = context.adapter;
  if (claims.replace.claimed)
    await session.replace(somebodyElse, id, 'Changed by somebody else.').catch(() => undefined);
  if (claims.forget.claimed) await session.forget(somebodyElse, id).catch(() => undefined);
  const kept = (await session.list(somebody)).some((one) => one.text.includes(word));
  if (!kept) faults.push('another user changed or deleted it by its id');
  expectNone(faults, 'ids are open to everybody');
}

function nameOf({ tenant, user }: Owner): string {
  return `${tenant} / ${user}`;
}
