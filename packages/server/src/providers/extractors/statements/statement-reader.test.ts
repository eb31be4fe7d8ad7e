import { describe, expect, it } from 'vitest';
import type { ReadableAttribute, StatedFact } from '../../../ports/statement-reader.js';
import { statementReader } from './statement-reader.js';

const plain = {
  synonyms: [],
  single: true,
  shape: 'text',
  values: [],
  patterns: [],
  loosePatterns: [],
  endings: [],
} as const;

/** A few attributes, as a tenant could define them. */
const attributes: ReadableAttribute[] = [
  {
    ...{ ...plain, name: 'lives in', synonyms: ['home'], shape: 'place' },
    patterns: ['I live in {value}', 'I moved to {value}', 'ich wohne in {value}'],
  },
  {
    ...{ ...plain, name: 'works at', shape: 'organisation' },
    patterns: ['I work at {value}', 'I joined {value}', 'I left {any} for {value}'],
    loosePatterns: ['I am a {any} at {value}'],
    endings: ['I quit my job', 'I left {value}'],
  },
  {
    ...{ ...plain, name: 'job title', synonyms: ['job'], shape: 'role' },
    patterns: ['I work as {value}'],
    loosePatterns: ['I am a {value}'],
  },
  {
    ...{ ...plain, name: 'partner', synonyms: ['wife'], shape: 'name' },
    loosePatterns: ['I am with {value}', '{value} and I are together'],
    endings: ['we broke up'],
  },
  { ...plain, name: 'status', ofThings: true, values: ['done', 'blocked'], patterns: ['{subject} is {value}'] },
  { ...plain, name: 'speaks', single: false, values: ['polish', 'danish'], patterns: ['I speak {value}'] },
  { ...plain, name: 'name', shape: 'name' },
  { ...plain, name: 'visited', single: false, shape: 'place', patterns: ['I was in {value}'] },
  { ...plain, name: 'manager', synonyms: ['boss'], shape: 'name' },
  { ...plain, name: 'sibling', synonyms: ['sister'], single: false, shape: 'name' },
  {
    ...plain,
    name: 'owner',
    synonyms: ['owner of'],
    shape: 'name',
    patterns: ['{subject} is owned by {value}', '{value} owns {subject}', '{value} took over {subject}'],
  },
  { ...plain, name: 'likes', single: false, shape: 'thing', patterns: ['I like {value}'] },
  { ...plain, name: 'dislikes', single: false, shape: 'thing', patterns: ['I do not like {value}'] },
  { ...plain, name: 'birthday', shape: 'date' },
  { ...plain, name: 'age', shape: 'number', patterns: ['I am {value}', 'I am {value} years old'] },
  { ...plain, name: 'nationality', single: false, values: ['german'], patterns: ['I am {value}'] },
  { ...plain, name: 'phone number', shape: 'code' },
];
const lexicon = statementReader.prepare(attributes);

async function read(
  text: string,
  more: { speaker?: 'user' | 'assistant'; timeZone?: string } = {},
): Promise<StatedFact[]> {
  const utterance = { text, at: new Date('2026-11-18T23:30:00Z'), speaker: 'user', timeZone: 'UTC', ...more } as const;
  const [stated = []] = await statementReader.read([utterance], lexicon);
  return stated;
}

/** `subject: attribute value`, with what is unusual about it. */
function show({ subject, attribute, value, assertion, certainty, isAdded, when, until }: StatedFact): string {
  const day = (date: Date) => date.toISOString().slice(0, 10);
  return [
    `${subject}: ${attribute} ${value}`,
    ...(assertion === 'holds' ? [] : [assertion]),
    ...(certainty === 'clear' ? [] : [certainty]),
    ...(isAdded ? ['added'] : []),
    ...(when ? [`${day(when.from)}…${day(when.to)}`] : []),
    ...(until ? [`until ${day(until)}`] : []),
  ].join(', ');
}

const cases: Record<string, [text: string, ...stated: string[]][]> = {
  'states what is true': [
    ['I live in Bergen.', 'me: lives in Bergen'],
    ['i live in oslo now', 'me: lives in oslo'],
    ['We live in New York City with our cat.', 'me: lives in New York City'],
    ['My phone number is 555 1234.', 'me: phone number 555 1234'],
    ['My birthday is May 3.', 'me: birthday May 3'],
    ["I'm 34.", 'me: age 34'],
    ['I work as a nurse at Ullevål Hospital.', 'me: job title nurse'],
    ['Remember that I live in Oslo!', 'me: lives in Oslo'],
    ['The user lives in Oslo.', 'me: lives in Oslo'],
    ['Ich wohne in Bonn.', 'me: lives in Bonn'],
    ['Big news: I live in Oslo!', 'me: lives in Oslo'],
    ['I speak a bit of Polish.', 'me: speaks Polish'],
    ["I'm in Vienna."],
    ['I left Acme early today.'],
    ['I left Acme yesterday afternoon.'],
    ['My job is stressful.'],
    ['The Heron launch is done.', 'Heron launch: status done'],
    ["My wife's name is Annelise.", 'my wife: name Annelise', 'me: partner Annelise, yields'],
    ['Between 2016 and 2019 I worked at Meta.', 'me: works at Meta, held, 2016-01-01…2017-01-01, until 2020-01-01'],
    ['I live in Oslo, sharing with two friends.', 'me: lives in Oslo'],
    ['I like tea, says my doctor.', 'me: likes tea, unclear'],
  ],
  'reads lists': [
    ['I like tea, coffee and jazz.', 'me: likes tea', 'me: likes coffee', 'me: likes jazz'],
    ['I joined Marks and Spencer.', 'me: works at Marks and Spencer'],
  ],
  'reads several statements of a sentence': [
    ['I joined Acme and moved to Oslo.', 'me: works at Acme', 'me: lives in Oslo'],
    [
      'My sister lives in Jena and works at Zeiss.',
      'my sister: lives in Jena, yields',
      'my sister: works at Zeiss, yields',
    ],
  ],
  'reads changes': [
    [
      'I moved to Oslo last week, no longer in Bergen.',
      'me: lives in Oslo, 2026-11-09…2026-11-16',
      'me: lives in Bergen, over, 2026-11-09…2026-11-16',
    ],
    ['I moved from Bergen to Oslo.', 'me: lives in Bergen, over', 'me: lives in Oslo'],
    ['I left Google for Meta.', 'me: works at Meta', 'me: works at Google, over'],
    ['I changed my phone number to 555 2299.', 'me: phone number 555 2299'],
    ["I'll change my wife to Kim.", 'me: partner Kim, unclear'],
    ["I haven't changed my phone number to 555 2299."],
    ['I changed my mind to stay.'],
    ['My phone number is 555 2299 since January 2.', 'me: phone number 555 2299, 2026-01-02…2026-01-03'],
    ['Since Monday I live in Oslo.', 'me: lives in Oslo, 2026-11-16…2026-11-17'],
    ['Since the merger I work at Lidl.', 'me: works at Lidl'],
    ['Since the merger my sister works at Lidl.', 'my sister: works at Lidl'],
    ['Lately I like tea.', 'me: likes tea'],
    ['I left Acme on Monday.', 'me: works at Acme, over, 2026-11-16…2026-11-17'],
    ['My husband quit his job.', 'my husband: works at null, over'],
    ['I joined the Maps team.', 'me: works at Maps, yields'],
    ['I joined LinkedIn yesterday.', 'me: works at LinkedIn, yields, 2026-11-17…2026-11-18'],
    ['As of 1 November I work at Lidl.', 'me: works at Lidl, 2026-11-01…2026-11-02'],
    ["From January I'll be working at Meta.", 'me: works at Meta, 2027-01-01…2027-02-01'],
    ["My phone number has changed, it's 555 2299 now.", 'me: phone number 555 2299'],
    ['New phone number! It is 555 2299.', 'me: phone number 555 2299'],
    ['My phone number is 555 1234. It is 15 years old.', 'me: phone number 555 1234'],
    ["I'm a baker, not a chef.", 'me: job title baker', 'me: job title chef, denied, yields'],
    ["I'm with Telia now.", 'me: partner Telia, yields'],
    ['New phone number: 555 2299', 'me: phone number 555 2299'],
    ['My new phone number: 555 2299', 'me: phone number 555 2299'],
    ['I moved to Nice two days ago, actually.', 'me: lives in Nice, 2026-11-16…2026-11-17'],
    ['I speak Danish by now.', 'me: speaks Danish'],
    ['Ahmed took over Apollo from Mira.', 'Apollo: owner Mira, over', 'Apollo: owner Ahmed'],
    ['I started working at Meta two weeks ago.', 'me: works at Meta, 2026-11-04…2026-11-05'],
  ],
  'reads endings': [
    ['I no longer live in Bergen.', 'me: lives in Bergen, over'],
    ['I used to live in Bergen.', 'me: lives in Bergen, over'],
    ['I stopped working at Meta.', 'me: works at Meta, over'],
    ["I don't work at Meta anymore.", 'me: works at Meta, over'],
    ['Edda and I are no longer together.', 'me: partner Edda, over, yields'],
    ['Edda and I broke up in the spring.', 'me: partner Edda, denied, 2026-03-01…2026-06-01'],
    ['My wife and I broke up.', 'me: partner null, over'],
    ['I left Meta, too many meetings.', 'me: works at Meta, over'],
    ['I left Meta at the end of the year.', 'me: works at Meta, over, 2025-12-31…2026-01-01'],
    ['I quit my job yesterday.', 'me: works at null, over, 2026-11-17…2026-11-18'],
    ['We broke up.', 'me: partner null, over'],
    ['My wife and I broke up last month.', 'me: partner null, over, 2026-10-01…2026-11-01'],
    ['My manager is no longer Tom.', 'me: manager Tom, over'],
    ["I'm leaving Google in June.", 'me: works at Google, over, 2027-06-01…2027-07-01'],
  ],
  'takes what may pass for true only if nothing else is known': [
    ['At the moment I live in Oslo.', 'me: lives in Oslo, yields'],
    ["I'm living in Oslo this month.", 'me: lives in Oslo, yields, 2026-11-01…2026-12-01'],
    ['Until Tom is back, my manager is Finn.', 'me: manager Finn, unclear'],
    ['I work as a driver for my kids.', 'me: job title driver, yields'],
    ["I'm a nurse at Bellevue.", 'me: works at Bellevue, yields', 'me: job title nurse, yields'],
    ["I'm a guest at the Ritz."],
    ["I'm a medical student at Charité.", 'me: job title medical student, yields'],
  ],
  'reads no statements in the wording of texts, and no places that are none': [
    ['Finish the sentence: I no longer live in Bergen because'],
    ['I moved to Marketing.'],
    ['I moved to Room 12.'],
  ],
  'reads negations': [
    ["I don't live in Rome.", 'me: lives in Rome, denied'],
    ['I never worked at Google.', 'me: works at Google, never'],
    ["I'm not moving to Oslo after all.", 'me: lives in Oslo, cancelled'],
    ["I don't like tea.", 'me: likes tea, denied', 'me: dislikes tea'],
  ],
  'reads plans': [
    ["I'm moving to Oslo in June.", 'me: lives in Oslo, 2027-06-01…2027-07-01'],
    ['From next month I work at Acme.', 'me: works at Acme, 2026-12-01…2027-01-01'],
    ["I'm moving to Oslo.", 'me: lives in Oslo, unclear'],
  ],
  'reads the past': [
    ['Back in 2019 I worked at Siemens.', 'me: works at Siemens, held, 2019-01-01…2020-01-01, until 2020-01-01'],
    ['I lived in Bergen until March.', 'me: lives in Bergen, held, until 2026-04-01'],
    ["I've lived in Oslo since 2021.", 'me: lives in Oslo, 2021-01-01…2022-01-01'],
    ['Since 2021 I live in Oslo.', 'me: lives in Oslo, 2021-01-01…2022-01-01'],
    ['When I was a child I lived in Rome.', 'me: lives in Rome, held'],
    ['I have worked at Google for five years.', 'me: works at Google, 2021-11-18…2021-11-19'],
  ],
  'reads corrections': [
    ['Actually, I live in Oslo.', 'me: lives in Oslo'],
    ['I live in Bergen. Sorry, I meant Oslo.', 'me: lives in Oslo'],
    ['I live in Oslo, not Bergen.', 'me: lives in Oslo', 'me: lives in Bergen, denied'],
  ],
  'reads what is said about others': [
    ['My sister lives in Bonn.', 'my sister: lives in Bonn, yields'],
    ['My sister Anna lives in Bonn.', 'Anna: lives in Bonn, yields', 'me: sibling Anna, yields'],
    ['Anna told me she moved to Paris.', 'Anna: lives in Paris'],
    ['Apollo is owned by Kim.', 'Apollo: owner Kim'],
    ['Kim owns the website.', 'website: owner Kim'],
    ['The owner of Apollo is Kim.', 'Apollo: owner Kim'],
    ["Apollo's owner is Kim.", 'Apollo: owner Kim'],
    ['Eva is my new manager.', 'me: manager Eva'],
    ['My wife is German.', 'my wife: nationality German'],
  ],
  'marks what may not be meant': [
    ['Bob says I live in Rome.', 'me: lives in Rome, unclear'],
    ['According to the directory, the user lives in Rome now.', 'me: lives in Rome, unclear'],
    ['As listed on the company page, the user works at Acme.', 'me: works at Acme, unclear'],
    ['The staff page says that the user works at Acme.', 'me: works at Acme, unclear'],
    ['It has been reported that the user moved to Rome.', 'me: lives in Rome, unclear'],
    ['Records show that the manager of the user is Ola Berg.', 'me: manager Ola Berg, unclear'],
    ['The manager of the user is Ola Berg.', 'me: manager Ola Berg'],
    ['I heard that Anna moved to Rome.', 'Anna: lives in Rome, unclear'],
    ['I live in Oslo, but only during the summer.', 'me: lives in Oslo, unclear'],
    ['I probably live in Oslo then.', 'me: lives in Oslo, unclear'],
    ['I also work at a bakery.', 'me: works at bakery, yields, added'],
  ],
  'ends nothing but what is meant': [
    ['I resigned from the council.'],
    ['I quit my job at Acme.'],
    ["I don't work at Acme with Bob."],
    ['I no longer like tea on Sundays.'],
    ['I live in Oslo, not in Rome.', 'me: lives in Oslo', 'me: lives in Rome, denied'],
    ['Hugo is not my wife, we never married.'],
    ['My wife is not Hugo.'],
    ['Hugo is no longer my wife.', 'me: partner Hugo, over'],
    ['Hugo is not my partner.', 'me: partner Hugo, denied'],
  ],
  'reads no conditions that need no "if"': [
    ['One more week like this and I quit my job'],
    ['Just one more meeting like that and I am leaving Meta in June.'],
    ['Any more of this and I left Meta.'],
    ['Another Monday like that and I quit my job'],
    ['Say that again and I quit my job.'],
    ['Give me a raise or I quit my job.'],
    ['One more thing: I live in Oslo and I work at Meta.', 'me: lives in Oslo', 'me: works at Meta'],
    ['Two more updates, I live in Oslo and I work at Meta.', 'me: lives in Oslo', 'me: works at Meta'],
    ['Note that I live in Oslo and I work at Meta.', 'me: lives in Oslo', 'me: works at Meta'],
  ],
  'reads what comes with a value': [
    ['I live in Oslo, near the harbour.', 'me: lives in Oslo'],
    ['My manager is Dr. Stone.', 'me: manager Dr Stone'],
    ['My birthday is 4 May 1990.', 'me: birthday 4 May 1990'],
    ["I've got a new phone number: 555-0199", 'me: phone number 555-0199'],
    ['Got a new manager, Tove.', 'me: manager Tove'],
  ],
  'finds no statement in': [
    ['In our D&D group I live in Rome.'],
    ['If I lived in Rome, I would eat pasta.'],
    ["I'd love to live in Rome."],
    ['I might move to Rome.'],
    ['I was going to move to Rome.'],
    ['Do I live in Oslo?'],
    ['I moved to Mars. Just kidding!'],
    ['I live in a small flat.'],
    ["I'm 34 minutes late."],
    ['My manager is away this week.'],
    ['In my dreams I live in Rome.'],
    ['She moved to Paris.'],
    ['In my novel I live in Rome.'],
    ['I work from home.'],
    ['My old phone number is 555 1234.'],
    ['Anna wrote: "I live in Rome and I like it."'],
    [''],
    ['\ud800'],
  ],
};

describe('the statement reader', () => {
  for (const [name, all] of Object.entries(cases)) {
    it.each(all)(`${name}: %s`, async (text, ...stated) => {
      expect((await read(text)).map(show)).toEqual(stated);
    });
  }

  it('takes "you" for the user if an assistant speaks', async () => {
    expect((await read('You live in Oslo. I live in a server.', { speaker: 'assistant' })).map(show)).toEqual([
      'me: lives in Oslo',
    ]);
  });

  it('counts days in the time zone of the user', async () => {
    const [stated] = await read('I moved to Oslo yesterday.', { timeZone: 'Europe/Oslo' });
    expect(stated?.when).toEqual({ from: new Date('2026-11-17T23:00:00Z'), to: new Date('2026-11-18T23:00:00Z') });
  });

  it('quotes the part that says so', async () => {
    expect((await read('Hello! By the way, I live in Oslo and I like tea.')).map(({ quote }) => quote)).toEqual([
      'I live in Oslo',
      'I like tea',
    ]);
  });
});
