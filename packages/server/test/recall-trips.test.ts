import { expect, it, vi } from 'vitest';
import { toMember } from '../src/engine/one-memory/member.js';
import { noClaims } from '../src/engine/one-memory/namespace-grants.js';
import { type AnyRecall, recallAny } from '../src/engine/one-memory/recall-any.js';
import { rememberAny } from '../src/engine/one-memory/remember-any.js';
import { countTrips } from './support/count-trips.js';
import { describeOneDatabase } from './support/databases.js';
import { callerOf } from './support/engine.js';
import { useExplainedEngine } from './support/explain.js';

const claims = { ...noClaims, teamIds: ['blue'] };

describeOneDatabase('round trips of a warm recall', (database) => {
  const running = useExplainedEngine(database);

  /** Remembers, recalls until enough connections are open, and counts the next time. */
  async function tripsOf(user: string, memories: Parameters<typeof rememberAny>[2], query: AnyRecall) {
    const { engine, database } = running();
    const member = toMember(callerOf(user, `trips-${user}`), claims);
    await rememberAny(engine, member, memories);
    const recall = async () => {
      const found = await recallAny(engine, member, query);
      expect(found).not.toEqual([]);
    };
    await Promise.all([recall(), recall(), recall()]);
    await vi.waitFor(() => expect(database.pool.idleCount).toBe(database.pool.totalCount));
    return countTrips(database, recall);
  }

  const note = (content: string, visibility: 'private' | 'public' | { namespace: string } = 'private') => ({
    content,
    kind: 'note' as const,
    visibility,
  });

  const said = (content: string, year: number) => ({ ...note(content), occurredAt: new Date(Date.UTC(year, 2)) });
  const moved = [said('I live in Bergen', 2015), said('I moved to Oslo', 2024)];

  /** Whether notes have changed is asked at the same time as what else has; the embedded database has one connection. */
  const inTurn = () => (running().database.kind === 'embedded' ? 1 : 0);

  it('over own memories: what has changed, and the results', async () => {
    const memories = [note('The heron sleeps.'), note('The walrus swims.')];
    expect(await tripsOf('ann', memories, { text: 'walrus', scopes: ['own'], limit: 5 })).toBe(2 + inTurn());
  });

  it('over everything that others share: the same', async () => {
    const shared = [{ namespace: 'workspace:bob' }, { namespace: 'team:blue' }, 'public' as const];
    const memories = [
      note('A walrus of mine.'),
      ...shared.map((place, number) => note(`Walrus ${number} swims.`, place)),
    ];
    expect(await tripsOf('bob', memories, { text: 'walrus', limit: 5 })).toBe(2 + inTurn());
  });

  it('with a memory whose fact ended: one more for the facts', async () => {
    const left = [said('I work at Zeiss', 2015), said('I quit my job', 2024)];
    const query = { text: 'Where do I work?', limit: 5, includeSuperseded: true };
    expect(await tripsOf('cleo', left, query)).toBe(3 + inTurn());
  });

  it('with another memory in the place of one: five more, for the facts, what they rest on, the other memory and its rank', async () => {
    const query = { text: 'Where do I live?', limit: 5 };
    expect(await tripsOf('dan', moved, query)).toBe(7 + inTurn());
    expect(await tripsOf('eve', moved, { ...query, includeSuperseded: true })).toBe(7 + inTurn());
  });
});
