import type { Found } from '../adapter.js';
import { type Case, type CaseContext, expectNone, sentenceWith, somebody } from './case.js';

/** What a user says, what the same user says later, and a question that only the later one answers. */
const changes = [
  {
    before: 'I live in Bergen.',
    after: 'I moved to Oslo last week.',
    question: 'Where do I live now?',
    old: 'Bergen',
    current: 'Oslo',
  },
  {
    before: 'I work at Nordlys Shipyard.',
    after: 'I quit my job at Nordlys Shipyard and now work at Quarrix.',
    question: 'Which company do I work at?',
    old: 'I work at Nordlys Shipyard.',
    current: 'Quarrix',
  },
  {
    before: 'My phone number is 555 0134.',
    after: 'My phone number has changed, it is 555 0177 now.',
    question: 'What is my phone number?',
    old: '0134',
    current: '0177',
  },
  {
    before: 'My favourite colour is green.',
    after: 'My favourite colour is orange now.',
    question: 'What is my favourite colour?',
    old: 'green',
    current: 'orange',
  },
];

const filler = [
  'I bought a new kettle on Saturday.',
  'The meeting with the landlord was postponed.',
  'I am reading a book about lighthouses.',
  'My bicycle has a flat tyre again.',
];

export const staleCases: readonly Case[] = [
  {
    id: 'stale/replaced',
    title: 'After a text was replaced, recall finds the new one and nothing has the old one',
    needs: ['replace', 'questions'],
    run: findReplaced,
  },
  {
    id: 'stale/superseded',
    title: 'After a user says that something changed, recall does not show the old statement as current or first',
    needs: ['supersedes', 'questions'],
    run: findSuperseded,
  },
];

async function findReplaced(context: CaseContext): Promise<undefined> {
  const session = await context.open();
  const [before, after, other] = [context.random.canary(), context.random.canary(), context.random.canary()];
  await session.remember(somebody, { text: sentenceWith(other), from: 'user' });
  const id = await session.remember(somebody, { text: sentenceWith(before), from: 'user' });
  await session.settle();
  await session.replace(somebody, id, `The parrot of the neighbours is called ${after}.`);
  await session.settle();
  const byNew = await session.recall(somebody, 'What is the parrot of the people next door called?', 1);
  const byOld = await session.recall(somebody, `What is the code name ${before}?`, 5);
  const listed = await session.list(somebody);
  const has = (found: readonly Found[], word: string) => found.some(({ text }) => text.includes(word));
  expectNone(
    [
      ...(has(byNew, after) ? [] : ['a question about the new text does not find it first']),
      ...(has([...byNew, ...byOld, ...listed], before) ? ['the old text is still found'] : []),
      ...(has(listed, after) ? [] : ['the new text is not listed']),
    ],
    'replacing a text',
  );
  return undefined;
}

async function findSuperseded(context: CaseContext): Promise<undefined> {
  const session = await context.open();
  const pairs = context.random.shuffled(changes);
  for (const { before } of pairs) await session.remember(somebody, { text: before, from: 'user' });
  for (const text of filler) await session.remember(somebody, { text, from: 'user' });
  for (const { after } of pairs) await session.remember(somebody, { text: after, from: 'user' });
  await session.settle();
  const faults: string[] = [];
  for (const { question, old, current } of pairs) {
    const found = await session.recall(somebody, question, 5);
    const place = found.findIndex(({ text }) => text.includes(current));
    const stale = found.findIndex(
      (one) => one.current !== false && one.text.includes(old) && !one.text.includes(current),
    );
    if (place === -1) faults.push(`“${question}” does not find ${current}`);
    else if (stale !== -1 && stale < place) faults.push(`“${question}” shows ${old} as current before ${current}`);
  }
  expectNone(faults, 'stale answers');
  return undefined;
}
