import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { type Caller, systemCaller } from '../src/engine/caller.js';
import { compactDocuments } from '../src/engine/compaction/compact-documents.js';
import { takeSnapshot } from '../src/engine/conversations/take-snapshot.js';
import { getDocument } from '../src/engine/documents/get-document.js';
import { getProfile } from '../src/engine/documents/list-registry.js';
import type { ProfileSource } from '../src/engine/documents/profile-shape.js';
import { registerProfile } from '../src/engine/documents/register-profile.js';
import { searchEvents } from '../src/engine/events/search-events.js';
import { writeEvent } from '../src/engine/events/write-event.js';
import { applyTenantRetention } from '../src/engine/governance/apply-retention.js';
import { describeOneDatabase } from './support/databases.js';
import { callerOf, useEngine } from './support/engine.js';
import { addPreference, dynamicDocument } from './support/engine-documents.js';

const dayMs = 24 * 3600 * 1000;
const ages = [20, 50, 400];

describeOneDatabase('the retention periods of the daily job', (database) => {
  const running = useEngine(database, { MEMHALL_EXTRACTOR: 'none' });
  const newUser = (tenantId = `t-${randomUUID()}`) => callerOf(`u-${randomUUID()}`, tenantId);

  /** Registers the starter profile under another name, with other rules. */
  async function register(caller: Caller, profileId: string, rules: Partial<ProfileSource>) {
    const { engine } = running();
    const starter = (await getProfile(engine, caller, 'project-copilot-v1')).profile as ProfileSource;
    const { profile_id: _, ...source } = { ...starter, ...rules };
    await registerProfile(engine, systemCaller(caller.tenantId, '', 'test'), {
      profileId,
      precondition: { kind: 'none' },
      source,
    });
  }

  const keepEvents = (caller: Caller, profileId: string, days: number, auditDays = 3650) =>
    register(caller, profileId, { retention_rules: { events_days: days, audit_days: auditDays } });

  /** Writes events of several ages, applies retention to the tenant, and returns the ages of those that are left. */
  async function agesLeft(caller: Caller): Promise<number[]> {
    const { engine } = running();
    for (const age of ages) {
      const timestamp = new Date(Date.now() - age * dayMs).toISOString();
      const event = { service_id: null, source_type: 'chat', keywords: [], project_ids: [], evidence: null };
      await writeEvent(engine, caller, { ...event, event_id: `evt_${age}`, timestamp, digest: `${age}` });
    }
    await applyTenantRetention(engine, caller.tenantId, {});
    const left = await searchEvents(engine, caller, { limit: 10 });
    return left.map(({ event }) => Number(event.digest)).sort((one, other) => one - other);
  }

  const write = (caller: Caller, profileId: string, text = 'tea') =>
    addPreference(running().engine, caller, text, { profileId });

  it('are those of the profile that documents were written with, not of the unused starter', async () => {
    const caller = newUser();
    await keepEvents(caller, 'short', 30);
    await write(caller, 'short');
    expect(await agesLeft(caller)).toEqual([20]);
  });

  it('are the longest of the profiles in use by the same user', async () => {
    const [caller, neighbour] = [newUser('t-mixed'), newUser('t-mixed')];
    await keepEvents(caller, 'short', 10);
    await keepEvents(caller, 'longer', 30);
    await keepEvents(caller, 'longest', 100);
    await write(caller, 'short');
    const messages = [{ id: 'm1', role: 'user' as const, content: 'Hi.' }];
    const input = { conversationId: 'c1', profileId: 'longer', messages, replay: true };
    await takeSnapshot(running().engine, caller, input);
    await write(neighbour, 'longest');
    expect(await agesLeft(caller)).toEqual([20]);
    expect(await agesLeft(neighbour)).toEqual([20, 50]);
  });

  it('are those of the tenant for users without documents, and of every profile if there are none', async () => {
    const [caller, neighbour] = [newUser('t-empty'), newUser('t-empty')];
    await keepEvents(caller, 'short', 30);
    expect(await agesLeft(caller)).toEqual([20, 50]);
    await write(neighbour, 'short');
    expect(await agesLeft(caller)).toEqual([20]);
  });

  it('are unaffected by what compaction writes', async () => {
    const caller = newUser();
    await register(caller, 'short', { retention_rules: { events_days: 30, audit_days: 30 }, compaction_rules: {} });
    for (let number = 0; number < 13; number++) await write(caller, 'short', `preference ${number}`);
    expect(await compactDocuments(running().engine, caller.tenantId)).toMatchObject({ compacted: 0 });
    expect((await getDocument(running().engine, caller, dynamicDocument)).body.content.preferences).toHaveLength(13);
    expect(await agesLeft(caller)).toEqual([20]);
  });

  it("are those of the tenant's own profile if no record of the last write is left", async () => {
    const caller = newUser();
    await keepEvents(caller, 'short', 30, 1);
    const { engine } = running();
    const clock = { now: () => new Date(Date.now() - 2 * dayMs) };
    await addPreference({ ...engine, clock }, caller, 'tea', { profileId: 'short' });
    expect(await agesLeft(caller)).toEqual([20]);
    expect(await engine.store.inspect(caller.tenantId, (tables) => tables.registry.uses(caller.userId))).toEqual([
      { profileId: null, document: dynamicDocument },
    ]);
    expect(await agesLeft(caller)).toEqual([20]);
  });
});
