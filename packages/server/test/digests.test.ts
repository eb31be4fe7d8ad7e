import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Caller } from '../src/engine/caller.js';
import { getReplay, replayConversation } from '../src/engine/conversations/replay-conversation.js';
import { takeSnapshot } from '../src/engine/conversations/take-snapshot.js';
import { searchEvents } from '../src/engine/events/search-events.js';
import { writeEvent } from '../src/engine/events/write-event.js';
import { describeOneDatabase } from './support/databases.js';
import { callerOf, useEngine } from './support/engine.js';

describeOneDatabase('the digest of a conversation', (database) => {
  const running = useEngine(database);
  const newUser = () => callerOf(`u-${randomUUID()}`, `t-${randomUUID()}`);
  const said = ['I live in Lisbon.', 'My dog is called Rex.', 'We decided to use PostgreSQL.'];

  /** Takes a snapshot of the first sentences. The next one is taken at least a millisecond later. */
  async function take(caller: Caller, sentences: number, conversationId = 'c1') {
    const messages = said
      .slice(0, sentences)
      .map((content, index) => ({ id: `m${index}`, role: 'user' as const, content }));
    const input = { conversationId, profileId: 'project-copilot-v1', messages, replay: true };
    const quiet = { ...running().engine, onReplayQueued: () => undefined };
    const taken = await takeSnapshot(quiet, caller, input);
    const before = Date.now();
    while (Date.now() === before);
    return { ...taken, replayId: taken.replayId ?? '' };
  }

  async function replay(caller: Caller, { replayId }: { replayId: string }) {
    const { engine } = running();
    await replayConversation(engine, { tenantId: caller.tenantId, userId: caller.userId, replayId });
    const { status, outcome } = (await getReplay(engine, caller, replayId)) ?? {};
    expect(status).toBe('completed');
    return outcome;
  }

  const events = async (caller: Caller, query?: string) =>
    (await searchEvents(running().engine, caller, { query, limit: 100 })).map(({ event }) => event);

  it('is that of its latest snapshot, however many it has', async () => {
    const caller = newUser();
    const first = await replay(caller, await take(caller, 1));
    const latest = await take(caller, 3);
    const second = await replay(caller, latest);
    expect(second).toMatchObject({ event_id: first?.event_id, digest_superseded: false });
    expect(await events(caller)).toMatchObject([
      { event_id: second?.event_id, snapshot_uri: latest.uri, digest: expect.stringContaining('PostgreSQL') },
    ]);
    expect(await events(caller, 'PostgreSQL')).toHaveLength(1);
    await replay(caller, await take(caller, 1, 'c2'));
    expect(await events(caller)).toHaveLength(2);
  });

  it('is not replaced by that of an earlier snapshot', async () => {
    const caller = newUser();
    const [earlier, later] = [await take(caller, 1), await take(caller, 3)];
    const written = await replay(caller, later);
    expect(await replay(caller, earlier)).toMatchObject({ event_id: written?.event_id, digest_superseded: true });
    expect(await events(caller)).toMatchObject([{ snapshot_uri: later.uri }]);
    expect(await events(caller, 'PostgreSQL')).toHaveLength(1);
  });

  it('takes the place of several from the time when each snapshot had its own', async () => {
    const caller = newUser();
    const snapshots = [await take(caller, 1), await take(caller, 2), await take(caller, 3)];
    const { engine } = running();
    const write = (uri: string, rest: object = {}) =>
      writeEvent(engine, caller, {
        service_id: 'memhall',
        timestamp: '2026-03-02T10:00:00Z',
        source_type: 'conversation',
        digest: 'Lives in Lisbon.',
        keywords: [],
        project_ids: [],
        snapshot_uri: uri,
        evidence: { conversation_id: 'c1' },
        ...rest,
      });
    await write(snapshots[0]?.uri ?? '');
    const standing = await write(snapshots[1]?.uri ?? '');
    const other = await write('memhall://elsewhere', {
      digest: 'Lisbon by another service',
      service_id: 'assistant-a',
    });
    const idsOf = async (query?: string) => (await events(caller, query)).map(({ event_id }) => event_id).sort();

    expect(await replay(caller, snapshots[0] as never)).toMatchObject({
      event_id: standing.event_id,
      digest_superseded: true,
    });
    expect(await idsOf('Lisbon')).toEqual([standing.event_id, other.event_id].sort());
    const latest = await replay(caller, snapshots[2] as never);
    expect(await idsOf()).toEqual([String(latest?.event_id), other.event_id].sort());
    expect(await idsOf('Lisbon')).toEqual([String(latest?.event_id), other.event_id].sort());
  });
});
