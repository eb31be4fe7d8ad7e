import { expect, it } from 'vitest';
import { toMember } from '../src/engine/one-memory/member.js';
import { noClaims } from '../src/engine/one-memory/namespace-grants.js';
import { rememberAny } from '../src/engine/one-memory/remember-any.js';
import { describeOneDatabase } from './support/databases.js';
import { callerOf, useEngine } from './support/engine.js';
import { statementsSent } from './support/statements-sent.js';

describeOneDatabase('a statement that a fact is learned from', (database) => {
  const running = useEngine(database);
  const member = toMember(callerOf('ann', 'marks'), noClaims);

  async function writtenBy(content: string, year: number) {
    const { engine, database } = running();
    const memory = { content, kind: 'note' as const, occurredAt: new Date(Date.UTC(year, 2)) };
    const texts = await statementsSent(database, () => rememberAny(engine, member, [memory]));
    return {
      facts: texts.filter((text) => text.includes('INSERT INTO memhall.facts ')).length,
      marks: texts.filter((text) => text.includes('UPDATE memhall.memories')).length,
    };
  }

  it('changes no memory as long as it ends nothing, and the one that it ends', async () => {
    expect(await writtenBy('I live in Bergen', 2015)).toEqual({ facts: 1, marks: 0 });
    expect(await writtenBy('I work at the harbour', 2016)).toEqual({ facts: 1, marks: 0 });
    expect(await writtenBy('I moved to Oslo', 2024)).toEqual({ facts: 1, marks: 1 });
  });
});
