import { expect, it } from 'vitest';
import { customKind } from '../src/engine/memories/kinds.js';
import { planQuery } from '../src/engine/memories/recall/query-plan.js';
import { recall } from '../src/engine/memories/recall/recall.js';
import { defaultWeights } from '../src/engine/memories/recall/weights.js';
import { rememberMany } from '../src/engine/memories/remember.js';
import { describeOneDatabase } from './support/databases.js';
import { callerOf, useEngine } from './support/engine.js';

const statistics = { count: 100, averageTerms: 10, frequency: () => 1 };
const context = { language: 'english', now: 0, timeZone: 'UTC', statistics, weights: defaultWeights } as const;

const message =
  'Hi. The sourdough starter has doubled overnight and smells of ripe apples. Next week I want to lay the bathroom tiles, so tell me which grout suits a damp room.';
const talk: [session: string, content: string][] = [
  ['bread', 'user: My sourdough starter smells of apples, is that good?'],
  ['bread', 'assistant: Yes, fruity notes show that the yeast is active. Feed it twice a day.'],
  ['bread', 'user: Rye or wheat flour for feeding?'],
  ['bread', 'assistant: Rye ferments faster, so begin with rye.'],
  ['tiles', 'user: Which grout is right for bathroom tiles in a damp room?'],
  ['tiles', 'assistant: Take an epoxy grout there, water cannot get through it.'],
  ['tiles', 'user: And how wide should the gaps be?'],
  ['tiles', 'assistant: Three millimetres between tiles of that size.'],
  ['pottery', 'user: The glaze came out of the kiln full of bubbles.'],
  ['pottery', 'assistant: Fire it more slowly and let the clay dry for longer.'],
  ['rent', 'user: Our landlord wants to raise the rent in spring.'],
  ['rent', 'assistant: Ask him to put the reasons in writing.'],
];

let people = 0;

describeOneDatabase('recall with a message', (database) => {
  const running = useEngine(database, { embedder: 'local' });

  async function ask(turns: typeof talk) {
    people += 1;
    const { engine } = running();
    const me = callerOf(`writer-${people}`, 't1');
    await rememberMany(
      engine,
      me,
      turns.map(([sessionId, content]) => ({ kind: customKind('turn'), sessionId, content })),
    );
    const found = await recall(engine, me, { text: message, scope: { own: true }, limit: 20 });
    return found.map(({ memory }) => memory.content);
  }

  it('finds what each of its sentences is about', async () => {
    const first = (await ask(talk)).slice(0, 4);
    expect(first).toContain(talk[0]?.[1]);
    expect(first).toContain(talk[4]?.[1]);
  });
});

it('takes several sentences, or a long statement, for a message', () => {
  const { isMessage, sentences } = planQuery(message, context);
  expect(isMessage).toBe(true);
  expect(sentences).toEqual([
    'The sourdough starter has doubled overnight and smells of ripe apples.',
    'Next week I want to lay the bathroom tiles, so tell me which grout suits a damp room.',
  ]);
  const statement = planQuery(
    'The sourdough starter doubled overnight, smells of ripe apples, and rests beside the warm kitchen oven now',
    context,
  );
  expect(statement).toMatchObject({ isMessage: true, sentences: [] });
});

it('takes a single question for no message, however long it is, and a short query neither', () => {
  const long =
    'Which grout did the plumber recommend for bathroom tiles beside the shower where water, steam and soap reach the gaps?';
  expect(planQuery(long, context)).toMatchObject({ isMessage: false, sentences: [] });
  expect(planQuery('Grout. Tiles. Shower.', context)).toMatchObject({ isMessage: false, sentences: [] });
});

it('reads at most eight sentences', () => {
  const many = Array.from({ length: 20 }, (_, number) => `Sentence number ${number} mentions apples.`).join(' ');
  expect(planQuery(many, context).sentences).toHaveLength(8);
});
