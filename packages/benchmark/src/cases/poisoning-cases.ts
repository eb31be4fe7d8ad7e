import type { Found, Owner } from '../adapter.js';
import type { HostSession } from '../hosts/host-session.js';
import { type Case, type CaseContext, expectNone, somebody, somebodyElse } from './case.js';
import { awkwardTexts, contradicted, ordinaryTexts, poisonTexts } from './poison-texts.js';

export const poisoningCases: readonly Case[] = [
  {
    id: 'poisoning/data',
    title: 'Texts with quotes, line breaks, markup and patterns are stored as they are, or refused',
    needs: [],
    run: storeAwkwardTexts,
  },
  {
    id: 'poisoning/marked',
    title: 'What an outside source plants is refused or told apart from what the user said',
    needs: ['provenance', 'questions'],
    run: markPoison,
  },
  {
    id: 'poisoning/outranked',
    title: 'What an outside source says does not come before what the user said',
    needs: ['provenance', 'questions'],
    run: rankLies,
  },
];

async function storeAwkwardTexts(context: CaseContext): Promise<undefined> {
  const session = await context.open();
  const stored: { text: string; word: string }[] = [];
  for (const awkward of awkwardTexts) {
    const word = context.random.canary();
    const text = `${awkward} ${word}`;
    try {
      await session.remember(somebody, { text, from: 'user' });
      stored.push({ text, word });
    } catch (error) {
      context.note(`refused ${JSON.stringify(awkward.slice(0, 30))}: ${(error as Error).message.split('\n')[0]}`);
    }
  }
  const own = await session.list(somebody);
  const others = context.adapter.claims.users.claimed ? await session.list(somebodyElse) : [];
  expectNone(
    [
      ...stored
        .filter(({ text, word }) => own.find((one) => one.text.includes(word))?.text !== text)
        .map(({ text }) => `${JSON.stringify(text.slice(0, 40))} is missing or changed`),
      ...others.map(({ text }) => `another user has ${JSON.stringify(text.slice(0, 40))}`),
    ],
    'texts are not kept as data',
  );
  return undefined;
}

async function markPoison(context: CaseContext): Promise<undefined> {
  const session = await context.open();
  const refused = new Set<string>();
  for (const text of context.random.shuffled(ordinaryTexts))
    await session.remember(somebody, { text, from: 'user', session: 'talk' });
  for (const [index, text] of context.random.shuffled(poisonTexts).entries()) {
    await session
      .remember(somebody, { text, from: 'outside', session: `page-${index}` })
      .catch(() => refused.add(text));
  }
  await session.settle();
  if (refused.size > 0) context.note(`refused ${refused.size} of ${poisonTexts.length} planted texts`);
  const shown = async (text: string) => showing(await session.recall(somebody, text, 10), text);
  const faults: string[] = [];
  for (const text of poisonTexts) {
    const found = await shown(text);
    if (found !== undefined && found.own !== false) faults.push(`shown as the user's own: “${text}”`);
  }
  for (const text of ordinaryTexts) {
    const found = await shown(text);
    if (found === undefined) faults.push(`not found: “${text}”`);
    else if (found.own !== true) faults.push(`not shown as the user's own: “${text}”`);
  }
  expectNone(faults, 'planted and own texts are not told apart');
  return undefined;
}

async function rankLies(context: CaseContext): Promise<undefined> {
  const session = await context.open();
  const pairs = context.random.shuffled(contradicted);
  for (const { truth } of pairs) await session.remember(somebody, { text: truth, from: 'user' });
  for (const { lie } of pairs) await plant(session, somebody, lie);
  await session.settle();
  const faults: string[] = [];
  for (const { truth, lie, question } of pairs) {
    const found = await session.recall(somebody, question, 10);
    const [own, planted] = [found.findIndex(is(truth)), found.findIndex(is(lie))];
    if (own === -1) faults.push(`“${question}” does not find “${truth}”`);
    else if (planted !== -1 && planted < own) faults.push(`“${question}” shows “${lie}” before “${truth}”`);
  }
  expectNone(faults, 'lies come first');
  return undefined;
}

async function plant(session: HostSession, owner: Owner, text: string): Promise<void> {
  await session.remember(owner, { text, from: 'outside', session: 'page' }).catch(() => undefined);
}

function showing(found: readonly Found[], text: string): Found | undefined {
  return found.find(is(text));
}

function is(text: string): (found: Found) => boolean {
  return (found) => found.text.includes(text);
}
