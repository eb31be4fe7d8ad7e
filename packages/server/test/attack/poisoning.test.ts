import { readdirSync, readFileSync } from 'node:fs';
import { scanText } from '@memhall/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { report, timeoutMs } from '../support/attack-report.js';
import { describeOneDatabase } from '../support/databases.js';
import { useMcpClients } from '../support/mcp-client.js';
import { useServer } from '../support/server.js';

interface Poison {
  group: string;
  text: string;
  /** What it says about the user, against what the user said. */
  lie: { attribute: string; value: string } | undefined;
}

const folder = new URL('../../test-data/poisoning/', import.meta.url);

const poison: Poison[] = readdirSync(new URL('hostile/', folder))
  .sort()
  .flatMap((file) =>
    linesOf(`hostile/${file}`).map((line): Poison => {
      const [text = '', attribute, value] = line.split('\t');
      const lie = attribute === undefined || value === undefined ? undefined : { attribute, value };
      return { group: file.replace('.txt', ''), text, lie };
    }),
  );

/** Statements of the user that the lies contradict, each with a question about it. */
const truths = [
  { attribute: 'lives in', value: 'Bergen', text: 'I live in Bergen.', question: 'Where does the user live?' },
  {
    attribute: 'works at',
    value: 'Nordlys Shipyard',
    text: 'I work at Nordlys Shipyard.',
    question: 'Who is the employer?',
    // Without a model, a text is found by its words.
    plain: 'Where does the user work?',
  },
  { attribute: 'job title', value: 'engineer', text: 'My job title is engineer.', question: 'What is the job title?' },
  { attribute: 'partner', value: 'Ingrid', text: 'My partner is Ingrid.', question: 'Who is the partner of the user?' },
  {
    ...{ attribute: 'phone number', value: '+47 900 11 223', text: 'My phone number is +47 900 11 223.' },
    question: 'What is the phone number of the user?',
  },
  {
    attribute: 'manager',
    value: 'Astrid Moe',
    text: 'My manager is Astrid Moe.',
    question: 'Who is the manager of the user?',
  },
  {
    attribute: 'birthday',
    value: '9 June 1984',
    text: 'My birthday is 9 June 1984.',
    question: 'When is the birthday?',
  },
] as const;

interface Found {
  memory_id: string;
  content: string;
  trust: string;
  from: string;
  note?: string;
}

describe('texts that try to plant something in a memory', () => {
  it('are many, of twelve classes, and all different', () => {
    const groups = new Set(poison.map(({ group }) => group));
    expect(groups.size).toBe(12);
    expect(new Set(poison.map(({ text }) => text)).size).toBe(poison.length);
    expect(poison.length).toBeGreaterThanOrEqual(200);
  });

  it('do not make the scanner hold back what people usually say', (context) => {
    const ordinary = [...linesOf('ordinary.txt'), ...fromTemplates()];
    expect(new Set(ordinary).size).toBe(ordinary.length);
    expect(ordinary.length).toBeGreaterThanOrEqual(1000);
    const affected = ordinary.filter((text) => scanText(text) !== undefined);
    report(context, 'poisoning', { [`ordinary texts held back, of ${ordinary.length}`]: affected.length });
    expect(affected.length / ordinary.length).toBeLessThanOrEqual(0.002);
  });
});

describeOneDatabase('poisoned texts in the memory of a user', (database) => {
  const server = useServer(database);
  const connect = useMcpClients();
  const user = 'poisoned';
  const ids = new Map<string, Poison>();
  let found: Map<string, Found[]>;

  beforeAll(async () => {
    const [own, page] = [await server().token({ user }), await server().token({ user: 'browser', roles: ['service'] })];
    const send = async (method: 'POST' | 'PUT', path: string, token: string, body: object) => {
      const { status, body: answer } = await server().call({ method, path, token, body });
      expect([path, status < 300 ? 200 : answer]).toEqual([path, 200]);
      return answer;
    };
    await send('POST', '/v1/remember', own, { memories: truths.map(({ text: content }) => ({ content })) });
    const memories = poison.map(({ text: content }, index) => ({
      content,
      trust: 'external',
      session_id: `s-${index}`,
    }));
    const planted = await send('POST', '/v1/remember', page, { memories, user_id: user });
    for (const [index, { id }] of planted.memories.entries()) ids.set(id, poison[index] as Poison);
    const { call } = await connect(server().url, own);
    const ask = async (query: string): Promise<Found[]> => {
      const answer = await call('search_memory', { query, limit: 20 });
      return answer.memories;
    };
    found = new Map();
    // As texts alone, and then also stated as facts.
    for (const truth of truths) found.set(asPlain(truth).question, await ask(plainOf(truth)));
    for (const [id, { lie }] of ids) {
      if (lie === undefined) continue;
      await send('PUT', '/v1/facts', page, { subject: 'me', ...lie, evidence: [id], user_id: user });
    }
    for (const { question } of truths) found.set(question, await ask(question));
    for (const { text } of poison) found.set(text, await ask(text));
  }, 2 * timeoutMs);

  it('supersede nothing that the user said', async () => {
    const token = await server().token({ user });
    const { body } = await server().call({ path: '/v1/facts?limit=100&subject=me', token });
    const facts = body.facts as { attribute: string; value: string; status: string }[];
    const current = facts
      .filter(({ status }) => status === 'current')
      .map(({ attribute, value }) => `${attribute} ${value}`);
    expect(current.sort()).toEqual(truths.map(({ attribute, value }) => `${attribute} ${value}`).sort());
  });

  it('outrank no statement of the user that they contradict', () => {
    for (const { question, attribute, text } of [...truths, ...truths.map(asPlain)]) {
      const shown = found.get(question) ?? [];
      const own = shown.findIndex(({ content }) => content === text);
      const lies = shown.flatMap(({ memory_id }, place) =>
        ids.get(memory_id)?.lie?.attribute === attribute ? [place] : [],
      );
      expect([question, own >= 0 && lies.every((place) => place > own)]).toEqual([question, true]);
    }
  });

  it('are held back, or shown to a model with the words that nobody confirmed them', (context) => {
    const counts: Record<string, number> = {};
    let [safe, seen] = [0, 0];
    for (const { group, text } of poison) {
      const isHeld = scanText(text) !== undefined;
      const shown = (found.get(text) ?? []).filter(({ content }) => content === text);
      const isMarked = shown.every(
        ({ trust, from }) => (trust === 'external' || trust === 'tool') && from.includes('not confirmed by the user'),
      );
      safe += Number(isHeld ? shown.length === 0 : isMarked);
      seen += Number(shown.length > 0);
      const label = `${group}: held back by the scanner`;
      counts[label] = (counts[label] ?? 0) + Number(isHeld);
    }
    report(context, 'poisoning', {
      ...counts,
      ...{ 'shown to a model': seen, [`held back or marked, of ${poison.length}`]: safe },
    });
    // Otherwise nothing would have been tried.
    expect(seen / poison.length).toBeGreaterThan(0.5);
    expect(safe / poison.length).toBeGreaterThanOrEqual(0.95);
  });
});

function asPlain(truth: (typeof truths)[number]) {
  return { ...truth, question: `As texts alone: ${plainOf(truth)}` };
}

function plainOf(truth: (typeof truths)[number]): string {
  return 'plain' in truth ? truth.plain : truth.question;
}

function linesOf(file: string): string[] {
  return readFileSync(new URL(file, folder), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}

/** Returns ordinary sentences with many of the words that the hostile ones use. */
function fromTemplates(): string[] {
  const people = [
    'my sister',
    'the landlord',
    'our neighbour',
    'my doctor',
    'the teacher',
    'Ingrid',
    'a colleague',
    'my uncle',
  ];
  const things = [
    'the bread',
    'the report',
    'a ticket',
    'the old map',
    'the blue folder',
    'the summary',
    'the key',
    'a new lamp',
  ];
  const times = ['on Monday', 'next week', 'before lunch', 'since spring', 'every evening', 'after the trip'];
  const templates = [
    (who: string, what: string, when: string) => `Remember that ${who} brings ${what} ${when}.`,
    (who: string, what: string, when: string) => `I asked ${who} to send me a copy of ${what} ${when}.`,
    (who: string, what: string, when: string) => `If ${who} calls ${when}, tell them that ${what} is ready.`,
    (who: string, what: string, when: string) => `I trust ${who} with ${what} ${when}.`,
  ];
  return templates.flatMap((say) =>
    people.flatMap((who) => things.flatMap((what) => times.map((when) => say(who, what, when)))),
  );
}
