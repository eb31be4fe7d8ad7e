import { setTimeout as sleep } from 'node:timers/promises';
import type { Question } from '../adapter.js';
import type { HostSession } from '../hosts/host-session.js';
import { type Case, expectNone, somebody } from './case.js';

const cities = ['Bergen', 'Oslo', 'Turku', 'Porto', 'Ghent', 'Malmo', 'Leeds', 'Graz', 'Lyon', 'Split', 'Cork', 'Brno'];
const attribute = 'lives in';

export const timeCases: readonly Case[] = [
  {
    id: 'time/as-of',
    title: 'Says what was true at an earlier time, also if it was told later and out of order',
    needs: ['asOf'],
    async run(context) {
      const session = await context.open();
      const [first = '', second = '', third = ''] = context.random.shuffled(cities);
      await session.state(somebody, { attribute, value: second, validFrom: '2015-03-01T00:00:00Z' });
      await session.state(somebody, { attribute, value: third, validFrom: '2022-06-01T00:00:00Z' });
      await session.state(somebody, { attribute, value: first, validFrom: '2008-01-01T00:00:00Z' });
      await check(session, [
        [{ attribute }, third],
        [{ attribute, asOf: '2024-01-01T00:00:00Z' }, third],
        [{ attribute, asOf: '2018-01-01T00:00:00Z' }, second],
        [{ attribute, asOf: '2010-01-01T00:00:00Z' }, first],
      ]);
      return undefined;
    },
  },
  {
    id: 'time/known-at',
    title: 'Says what was known at an earlier time, before it was told otherwise',
    needs: ['asOf', 'knownAt'],
    async run(context) {
      const session = await context.open();
      const [first = '', second = ''] = context.random.shuffled(cities);
      await session.state(somebody, { attribute, value: first, validFrom: '2015-03-01T00:00:00Z' });
      await sleep(50);
      const knownAt = new Date().toISOString();
      await sleep(50);
      await session.state(somebody, { attribute, value: second, validFrom: '2018-03-01T00:00:00Z' });
      const asOf = '2020-01-01T00:00:00Z';
      await check(session, [
        [{ attribute, asOf }, second],
        [{ attribute, asOf, knownAt }, first],
        [{ attribute, knownAt }, first],
        [{ attribute, asOf: '2016-01-01T00:00:00Z', knownAt }, first],
      ]);
      return undefined;
    },
  },
];

async function check(session: HostSession, expected: readonly [Question, string][]): Promise<void> {
  const faults: string[] = [];
  for (const [question, value] of expected) {
    const answer = await session.ask(somebody, question);
    if (answer.length !== 1 || answer[0] !== value) {
      const { asOf = 'now', knownAt = 'now' } = question;
      faults.push(`as of ${asOf}, known at ${knownAt}: ${answer.join(' and ') || 'nothing'} instead of ${value}`);
    }
  }
  expectNone(faults, 'wrong answers');
}
