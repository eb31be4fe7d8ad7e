import { describe, expect, it } from 'vitest';
import { forgetMemories } from '../src/engine/memories/forget-memories.js';
import { customKind } from '../src/engine/memories/kinds.js';
import type { NewMemory } from '../src/engine/memories/new-memory.js';
import { recall } from '../src/engine/memories/recall/recall.js';
import type { RecallInput } from '../src/engine/memories/recall/search-scope.js';
import { remember, rememberMany } from '../src/engine/memories/remember.js';
import { updateMemory } from '../src/engine/memories/update-memory.js';
import { describeEachDatabase } from './support/databases.js';
import { callerOf, useEngine } from './support/engine.js';

let people = 0;

function newUser(tenantId = 't1') {
  people += 1;
  return callerOf(`user-${people}`, tenantId);
}

const own = { own: true };

const notes = [
  'I take my tea without milk.',
  'My sister Anna lives in Lisbon and works as a nurse.',
  'The deploy runs every Monday at nine.',
  'We decided to store everything in PostgreSQL.',
  'Invoice INV-20391 was paid twice.',
  'Bruno the dog is afraid of thunder.',
  'The garden needs watering in the evening.',
  'Our office moved to the third floor.',
];

describeEachDatabase('recall', (database) => {
  const running = useEngine(database, { embedder: 'local' });
  const engine = () => running().engine;

  async function userWith(contents: readonly (string | Partial<NewMemory>)[], tenantId?: string) {
    const me = newUser(tenantId);
    const memories = contents.map(
      (one): NewMemory => ({
        kind: 'fact',
        content: '',
        ...(typeof one === 'string' ? { content: one } : one),
      }),
    );
    await rememberMany(engine(), me, memories);
    return me;
  }

  async function find(
    me: ReturnType<typeof newUser>,
    text: string,
    rest: Partial<RecallInput> = {},
  ): Promise<string[]> {
    const results = await recall(engine(), me, { text, scope: own, limit: 10, ...rest });
    return results.map(({ memory }) => memory.content);
  }

  it('finds memories by word, in any form of the word', async () => {
    const me = await userWith(notes);
    expect((await find(me, 'deploys'))[0]).toBe(notes[2]);
    expect((await find(me, 'decide storing'))[0]).toBe(notes[3]);
    expect((await find(me, 'INV-20391'))[0]).toBe(notes[4]);
    expect((await find(me, 'When was the office moving, and what about unknownword?'))[0]).toBe(notes[7]);
  });

  it('finds memories by meaning when no word is shared', async () => {
    const me = await userWith(notes);
    expect((await find(me, 'Which database did you choose?'))[0]).toBe(notes[3]);
    expect((await find(me, 'healthcare profession in Portugal'))[0]).toBe(notes[1]);
    expect((await find(me, 'pet scared by storms'))[0]).toBe(notes[5]);
  });

  it('returns nothing that matches neither by word nor by meaning', async () => {
    const me = await userWith(notes);
    expect(await find(me, 'quantum chromodynamics lattice')).toEqual([]);
    expect(await find(me, 'xyzzy')).toEqual([]);
    expect(await find(newUser(), 'tea')).toEqual([]);
  });

  it('scores results between 0 and 1, best first, and explains each score', async () => {
    const me = await userWith(notes);
    const results = await recall(engine(), me, { text: 'tea with milk', scope: own, limit: 10, explain: true });
    expect(results[0]?.memory.content).toBe(notes[0]);
    for (const { score } of results) {
      expect(score).toBeGreaterThan(0);
      expect(score).toBeLessThanOrEqual(1);
    }
    const scores = results.map(({ score }) => score);
    expect([...scores].sort((a, b) => b - a)).toEqual(scores);
    const sums = results.map(({ explanation }) => {
      const { cosine: _, ...parts } = explanation ?? { cosine: null };
      return Object.values(parts).reduce((sum, part) => sum + part, 0);
    });
    expect([...sums].sort((a, b) => b - a)).toEqual(sums);
    expect(results[0]?.explanation).toMatchObject({
      lexical: expect.any(Number),
      dense: expect.any(Number),
      cosine: expect.any(Number),
    });
    expect(results[0]?.explanation?.lexical).toBeGreaterThan(0);
    for (const { score, explanation } of results) {
      const { cosine: _, ...parts } = explanation ?? { cosine: null };
      const raw = Object.values(parts).reduce((sum, part) => sum + part, 0);
      expect(score).toBeCloseTo(1 - Math.exp(-1.5 * raw));
    }
    expect((await recall(engine(), me, { text: 'tea', scope: own, limit: 1 }))[0]).not.toHaveProperty('explanation');
  });

  it('uses only the requested arms', async () => {
    const me = await userWith(notes);
    expect(await find(me, 'Which database did you choose?', { arms: 'lexical' })).toEqual([]);
    expect((await find(me, 'Which database did you choose?', { arms: 'dense' }))[0]).toBe(notes[3]);
  });

  it('accepts an embedding instead of a text and rejects invalid embeddings', async () => {
    const me = await userWith(notes);
    const [vector = new Float32Array()] = (await engine().embedder?.embed(['database choice'])) ?? [];
    const results = await recall(engine(), me, { embedding: [...vector], scope: own, limit: 3 });
    expect(results[0]?.memory.content).toBe(notes[3]);
    const wrong = recall(engine(), me, { embedding: [1, 2, 3], scope: own, limit: 3 });
    await expect(wrong).rejects.toMatchObject({
      code: 'EMBEDDING_DIMENSION_MISMATCH',
      details: { expected: 384, received: 3 },
    });
    const nothing = vector.map(() => 0);
    for (const bad of [
      [...nothing],
      [...nothing.with(0, Number.NaN)],
      [...nothing.with(0, Number.POSITIVE_INFINITY)],
    ]) {
      await expect(recall(engine(), me, { embedding: bad, scope: own, limit: 3 })).rejects.toMatchObject({
        code: 'INVALID_REQUEST',
      });
    }
  });

  it('stores a given embedding', async () => {
    const me = newUser();
    const [vector = new Float32Array()] = (await engine().embedder?.embed(['a boat on the sea'])) ?? [];
    await remember(engine(), me, { content: 'zzz', kind: 'fact', embedding: [...vector] });
    expect(await find(me, 'sailing ship')).toEqual(['zzz']);
    const bad = remember(engine(), me, { content: 'yyy', kind: 'fact', embedding: [1] });
    await expect(bad).rejects.toMatchObject({ code: 'EMBEDDING_DIMENSION_MISMATCH' });
  });

  it('filters by every field of a memory', async () => {
    const base = { content: 'meeting about the budget', kind: customKind('diary') };
    const me = await userWith([
      { ...base, tags: ['a', 'b'], source: 'mail', occurredAt: new Date('2024-03-05') },
      {
        ...base,
        tags: ['c'],
        sessionId: 's1',
        planId: 'p1',
        metadata: { team: { id: 7 }, open: true },
        occurredAt: new Date('2024-04-05'),
      },
      {
        ...base,
        kind: customKind('turn'),
        agentId: 'agent',
        role: 'user',
        sessionId: 's10',
        occurredAt: new Date('2024-05-05'),
      },
    ]);
    const count = async (filter: RecallInput['filter']) => (await find(me, 'budget', { filter })).length;
    expect(await count({})).toBe(3);
    expect(await count({ tags: ['b', 'c'] })).toBe(2);
    expect(await count({ source: 'mail' })).toBe(1);
    expect(await count({ sessionIds: ['s1'] })).toBe(1);
    expect(await count({ sessionIds: ['s'] })).toBe(0);
    expect(await count({ kinds: ['turn', 'diary'] })).toBe(3);
    expect(await count({ kinds: ['turn'], agentId: 'agent', role: 'user' })).toBe(1);
    expect(await count({ planId: 'p1', metadata: { team: { id: 7 } } })).toBe(1);
    expect(await count({ metadata: { team: { id: 8 } } })).toBe(0);
    expect(await count({ occurredFrom: new Date('2024-04-01'), occurredTo: new Date('2024-05-05') })).toBe(1);
    expect(await count({ createdTo: new Date('2020-01-01') })).toBe(0);
    expect(await count({ createdFrom: new Date('2020-01-01') })).toBe(3);
  });

  it('prefers memories from the time named in the query', async () => {
    const me = await userWith(
      ['2023-05-07', '2023-07-09', '2024-05-08'].map((day) => ({
        content: `We went hiking. (${day})`,
        occurredAt: new Date(day),
      })),
    );
    expect((await find(me, 'hiking in July 2023'))[0]).toContain('2023-07-09');
    expect((await find(me, 'the hike on 8 May 2024'))[0]).toContain('2024-05-08');
    expect((await find(me, 'hiking in 2024'))[0]).toContain('2024-05-08');
  });

  it('raises the answer next to the question in a conversation', async () => {
    const turns = [
      'Hi there!',
      'Where did you spend your holidays this summer?',
      'Mostly on the beach near Split.',
      'Nice.',
      'What about work?',
      'Busy.',
    ];
    const me = await userWith(
      turns.map((content, index) => ({
        content,
        kind: customKind('turn'),
        sessionId: 's',
        occurredAt: new Date(1_700_000_000_000 + index),
      })),
    );
    const loose = await userWith(turns);
    const query = 'holidays this summer: spent where, by the beach?';
    const rankOf = (results: string[]) => results.indexOf(turns[2] ?? '');
    const inSession = await recall(engine(), me, { text: query, scope: own, limit: 10, explain: true });
    const answer = inSession.find(({ memory }) => memory.content === turns[2]);
    expect(answer?.explanation?.context).toBeGreaterThan(0);
    expect(rankOf(inSession.map(({ memory }) => memory.content))).toBeLessThanOrEqual(rankOf(await find(loose, query)));
  });

  it('finds a text without words by meaning', async () => {
    const me = await userWith([...notes, '👍']);
    expect((await find(me, '👍'))[0]).toBe('👍');
  });

  it('searches only the first words of a long query in the lexical arm', async () => {
    const me = await userWith(notes);
    const filler = Array.from({ length: 2000 }, (_, number) => `w${number}`).join(' ');
    expect(await find(me, `thunder ${filler}`, { arms: 'lexical' })).toEqual([notes[5]]);
    expect(await find(me, `${filler} thunder`, { arms: 'lexical' })).toEqual([]);
  });

  it('prefers memories of the speaker named in the query', async () => {
    const me = await userWith(['Anna: The soup was too salty.', 'Bruno: The soup was too salty.']);
    for (const name of ['Anna', 'Bruno']) {
      const [first, second] = await recall(engine(), me, {
        text: `What did ${name} say about the soup?`,
        scope: own,
        limit: 2,
        explain: true,
      });
      expect(first?.memory.content).toBe(`${name}: The soup was too salty.`);
      expect(first?.explanation?.speaker).toBeGreaterThan(0);
      expect(second?.explanation?.speaker).toBe(0);
    }
  });

  it('boosts the named speaker and memories without a speaker, but not other speakers', async () => {
    const said = ['Anna: The soup was too salty.', 'Bruno: The soup was too salty.', 'The soup was too salty.'];
    const me = await userWith(said);
    const speakerOf = async (text: string) => {
      const results = await recall(engine(), me, { text, scope: own, limit: 3, explain: true });
      return said.map((content) => results.find(({ memory }) => memory.content === content)?.explanation?.speaker);
    };
    const [anna, bruno, nobody] = await speakerOf('What did Anna say about the soup?');
    expect(anna).toBeGreaterThan(0);
    expect([bruno, nobody]).toEqual([0, anna]);
    expect(await speakerOf('What about the salty soup?')).toEqual([0, 0, 0]);
  });

  it('does not take a word before a colon for a speaker because the query has it', async () => {
    const me = await userWith(['Deadline: the report is due on Friday.', 'Budget: the report costs 900 euros.']);
    for (const text of ['when is the deadline of the report?', 'Deadline of the report']) {
      const results = await recall(engine(), me, { text, scope: own, limit: 2, explain: true });
      expect(results.map(({ explanation }) => explanation?.speaker)).toEqual([0, 0]);
    }
  });

  it('does not find the word "mean" when asked what something unknown means', async () => {
    const me = await userWith([...notes, 'I did not mean to be late.']);
    expect(await find(me, 'What does qwzx mean?', { arms: 'lexical' })).toEqual([]);
    expect(await find(me, 'What does INV mean?', { arms: 'lexical' })).toEqual([notes[4]]);
    expect(await find(me, 'mean', { arms: 'lexical' })).toEqual(['I did not mean to be late.']);
  });

  it.each([
    ['a prefix', 'user: ', 'assistant: ', {}, {}],
    ['a role', '', '', { role: 'user' }, { role: 'assistant' }],
  ])('ranks what a person says before what an assistant answers, told by %s', async (_, person, machine, mine, its) => {
    const said = `${person}Sourdough is what I bake on Sundays.`;
    const answer = `${machine}Sourdough is what you bake on Sundays. Sourdough needs a starter.`;
    const me = await userWith([...notes, { content: said, ...mine }, { content: answer, ...its }]);
    expect((await find(me, 'sourdough baking'))[0]).toBe(said);
    expect((await find(me, 'What did you tell me about sourdough and its starter?'))[0]).toBe(answer);
    expect(await find(me, 'assistant', { arms: 'lexical' })).toEqual([]);
    const results = await recall(engine(), me, { text: 'sourdough', scope: own, limit: 2, explain: true });
    expect(results.map(({ explanation }) => explanation?.speaker)).toEqual([0, expect.any(Number)]);
    expect(results[1]?.explanation?.speaker).toBeLessThan(0);
  });

  it('ranks what an assistant says still lower if those who ask speak of themselves', async () => {
    const said = 'user: I bake on Sundays.';
    const answer = 'assistant: Sourdough baking needs a starter, and sourdough baking needs time.';
    const me = await userWith([...notes, said, answer]);
    const lost = async (text: string) => {
      const results = await recall(engine(), me, { text, scope: own, limit: 10, explain: true });
      const found = results.find(({ memory }) => memory.content === answer)?.explanation;
      return -(found?.speaker ?? 0) / ((found?.lexical ?? 0) + (found?.dense ?? 0));
    };
    const query = 'sourdough baking and the starter';
    expect(await lost(`What about my ${query}?`)).toBeGreaterThan(await lost(`What about ${query}?`));
    expect(await lost(`Show me ${query}`)).toBe(await lost(`Show ${query}`));
  });

  it('looks for what a question is about, not for how it is to be answered', async () => {
    const me = await userWith(['My plan for the garden: roses.', 'The summary lists the order of all conversations.']);
    const query = 'Can you list the order in which I brought up my plan for the garden throughout our conversations?';
    expect(await find(me, query, { arms: 'lexical' })).toEqual(['My plan for the garden: roses.']);
    expect((await find(me, 'Which conversations does the summary list?'))[0]).toMatch(/^The summary/);
  });

  it('finds a long text by the meaning of its beginning and by all of its words', async () => {
    const filler = 'The garden needs watering in the evening. '.repeat(100);
    const long = `${'My sister works as a nurse in a hospital. '.repeat(30)}${filler}The password of the shed is heliotrope.`;
    const me = await userWith(['The garden needs watering in the evening.', long]);
    expect((await find(me, 'What is the job of my sibling?', { arms: 'dense' }))[0]).toBe(long);
    expect(await find(me, 'heliotrope', { arms: 'lexical' })).toEqual([long]);
  });

  it('raises a turn whose neighbours contain words of the query', async () => {
    const talk = (sessionId: string, contents: string[]) =>
      contents.map((content, index) => ({
        content,
        kind: customKind('turn'),
        sessionId,
        occurredAt: new Date(1_700_000_000_000 + index),
      }));
    const me = await userWith([
      ...talk('trip', ['We drove to Porto.', 'The harbour smelled of salt.']),
      ...talk('walk', ['We drove home.', 'The harbour looked empty.']),
    ]);
    const results = await recall(engine(), me, {
      text: 'harbour Porto',
      scope: own,
      limit: 10,
      arms: 'lexical',
      explain: true,
    });
    const [near, far] = ['salt', 'empty'].map((word) => results.find(({ memory }) => memory.content.includes(word)));
    expect(near?.explanation?.lexical).toBe(far?.explanation?.lexical);
    expect(near?.explanation?.context).toBeGreaterThan(far?.explanation?.context ?? Number.NaN);
  });

  it('ranks a pinned memory above its equals', async () => {
    const me = await userWith(['release checklist one', 'release checklist two', 'release checklist three']);
    const [first] = await recall(engine(), me, { text: 'release checklist', scope: own, limit: 3 });
    const others = (await recall(engine(), me, { text: 'release checklist', scope: own, limit: 3 })).filter(
      (one) => one.memory.id !== first?.memory.id,
    );
    await updateMemory(engine(), me, others[0]?.memory.id ?? '', { isPinned: true });
    expect((await recall(engine(), me, { text: 'release checklist', scope: own, limit: 3 }))[0]?.memory.id).toBe(
      others[0]?.memory.id,
    );
  });

  it('sees every write immediately', async () => {
    const me = await userWith(notes);
    await find(me, 'warm up');
    const { memory } = await remember(engine(), me, { content: 'The parrot speaks Welsh.', kind: 'fact' });
    expect((await find(me, 'parrot'))[0]).toBe('The parrot speaks Welsh.');
    await updateMemory(engine(), me, memory.id, { content: 'The iguana speaks Welsh.' });
    expect(await find(me, 'parrot', { arms: 'lexical' })).toEqual([]);
    expect((await find(me, 'iguana'))[0]).toBe('The iguana speaks Welsh.');
    await forgetMemories(engine(), me, [memory.id]);
    expect(await find(me, 'iguana')).toEqual([]);
  });

  it('returns correct results during concurrent writes', async () => {
    const texts = (count: number, name: string) =>
      Array.from({ length: count }, (_, index) => ({
        content: `${name} ${index} about nothing`,
        kind: 'fact' as const,
      }));
    for (let round = 0; round < 6; round++) {
      const me = newUser();
      const doomed = await rememberMany(engine(), me, texts(300, 'doomed'));
      await rememberMany(engine(), me, [
        { content: 'The zebra crosses the river.', kind: 'fact' },
        ...texts(40, 'kept'),
      ]);
      await find(me, 'warm up');
      const answers = await Promise.all([
        ...Array.from({ length: 4 }, (_, index) => find(me, `zebra ${'abcd'[index]}${'uvwxyz'[round]}q`)),
        forgetMemories(
          engine(),
          me,
          doomed.map(({ memory }) => memory.id),
        ).then(() => find(me, `zebra ${'uvwxyz'[round]}again`)),
        ...Array.from({ length: 4 }, (_, index) => find(me, `zebra ${'efgh'[index]}${'uvwxyz'[round]}later`)),
      ]);
      for (const results of answers) expect(results[0]).toBe('The zebra crosses the river.');
    }
  });

  it('isolates users with similar ids', async () => {
    const one = callerOf('1', 'alike');
    const ten = callerOf('10', 'alike');
    await remember(engine(), one, { content: 'the number is one', kind: 'fact' });
    await remember(engine(), ten, { content: 'the number is ten', kind: 'fact' });
    expect(await find(one, 'number')).toEqual(['the number is one']);
    expect(await find(ten, 'number')).toEqual(['the number is ten']);
  });

  it.each([
    ['blank', '  ', /blank/],
    ['a NUL', 'a\u0000', /NUL/],
    ['half a surrogate pair', 'a\ud800', /surrogate/],
    ['100 kB', 'word '.repeat(20_000), /more than 20000 characters/],
  ])('rejects a query that is %s', async (_name, text, message) => {
    await expect(find(newUser(), text)).rejects.toThrow(message);
  });

  it('ignores the spacing of words in a query', async () => {
    const me = await userWith(
      ['2023-03-07', '2024-03-09'].map((day) => ({ content: `We went hiking. (${day})`, occurredAt: new Date(day) })),
    );
    expect((await find(me, ` hiking\u00a0 in\n\tMarch${' '.repeat(15_000)}2023 `))[0]).toContain('2023-03-07');
  });

  it('finds text at the end of a long memory', async () => {
    const filler = 'The weather report was read out slowly and nobody listened to it. '.repeat(80);
    const me = await userWith([...notes, `${filler}The treasure is buried under the old lighthouse.`]);
    expect((await find(me, 'treasure lighthouse'))[0]).toMatch(/lighthouse\.$/);
  });

  describe('other languages', () => {
    const cases: [string, string, string[], string][] = [
      [
        'german',
        'Häuser',
        ['Das Haus am See wurde verkauft.', 'Der Zug hatte Verspätung.'],
        'Das Haus am See wurde verkauft.',
      ],
      ['spanish', 'gatos', ['El gato duerme todo el día.', 'Mañana lloverá en Madrid.'], 'El gato duerme todo el día.'],
      ['arabic', 'كتاب', ['قرأت الكتاب الجديد أمس', 'الطقس جميل اليوم'], 'قرأت الكتاب الجديد أمس'],
      ['simple', '東京', ['私は東京に住んでいます。', '猫が好きです。'], '私は東京に住んでいます。'],
      ['english', '北京', ['我住在北京的东边。', '今天天气很好。'], '我住在北京的东边。'],
      ['english', 'Docker', ['我们用Docker部署服务。', '今天天气很好。'], '我们用Docker部署服务。'],
      ['english', '茶', ['我喜欢喝茶。', '今天天气很好。'], '我喜欢喝茶。'],
      ['english', '猫はどこ', ['うちの猫を探しています。', '明日は雨です。'], 'うちの猫を探しています。'],
      ['english', '커피', ['나는 아침마다 커피를 마신다.', '내일은 비가 온다.'], '나는 아침마다 커피를 마신다.'],
      ['english', 'กาแฟ', ['ฉันชอบกาแฟร้อน', 'พรุ่งนี้ฝนตก'], 'ฉันชอบกาแฟร้อน'],
      ['english', 'चाय', ['मुझे चाय पसंद है।', 'कल बारिश होगी।'], 'मुझे चाय पसंद है।'],
      ['french', 'école', ["Je vais à l'école.", 'Il pleut demain.'], "Je vais à l'école."],
      ['italian', 'acqua', ["Bevo dell'acqua.", 'Domani piove.'], "Bevo dell'acqua."],
      ['turkish', 'istanbul', ["İstanbul'da oturuyorum.", 'Yarın yağmur var.'], "İstanbul'da oturuyorum."],
    ];
    it.each(cases)('%s: finds %s', async (language, query, contents, expected) => {
      const tenantId = `speaks-${language}`;
      await engine().store.administer(tenantId, async (tables) => tables.tenants.setLanguage(language));
      engine().tenants.forget(tenantId);
      const me = await userWith(contents, tenantId);
      expect(await find(me, query, { arms: 'lexical' })).toEqual([expected]);
    });
  });
});
