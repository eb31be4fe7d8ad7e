import { randomUUID } from 'node:crypto';
import type { Json, PatchOperation } from '@memhall/core';
import { expect, it } from 'vitest';
import { getReplay, replayConversation } from '../src/engine/conversations/replay-conversation.js';
import { takeSnapshot } from '../src/engine/conversations/take-snapshot.js';
import { getDocument } from '../src/engine/documents/get-document.js';
import { patchDocument } from '../src/engine/documents/patch-document.js';
import type { ProfileSource } from '../src/engine/documents/profile-shape.js';
import { registerProfile } from '../src/engine/documents/register-profile.js';
import { replaceDocument } from '../src/engine/documents/replace-document.js';
import { forgetEvent } from '../src/engine/events/forget-event.js';
import { listFacts } from '../src/engine/facts/read-facts.js';
import { describeOneDatabase } from './support/databases.js';
import { callerOf, useEngine } from './support/engine.js';
import { dynamicDocument, patchOf } from './support/engine-documents.js';

function fact(text: string, extra: Record<string, Json> = {}) {
  return {
    text,
    confidence: 0.9,
    evidence: { message_ids: ['m0'] },
    last_verified_at: '2026-01-01T00:00:00.000Z',
    ...extra,
  };
}

describeOneDatabase('facts in a replay', (database) => {
  const running = useEngine(database);
  const newUser = () => callerOf(`u-${randomUUID()}`);

  /** Replays one message sent on the given day. */
  async function say(
    caller: ReturnType<typeof callerOf>,
    content: string,
    day = '2026-03-02',
    profileId = 'project-copilot-v1',
  ) {
    const { engine } = running();
    const messages = [{ id: 'm1', role: 'user' as const, content, timestamp: `${day}T10:00:00Z` }];
    const { replayId } = await takeSnapshot(engine, caller, {
      conversationId: 'c1',
      profileId,
      messages,
      replay: true,
    });
    const { tenantId, userId } = caller;
    await replayConversation(engine, { tenantId, userId, replayId: replayId ?? '' });
    return (await getReplay(engine, caller, replayId ?? ''))?.outcome;
  }

  const write = (caller: ReturnType<typeof callerOf>, members: Record<string, Json>) =>
    patchDocument(running().engine, caller, {
      ...patchOf(
        Object.entries(members).map(
          ([name, value]): PatchOperation => ({ op: 'add', path: `/content/${name}`, value }),
        ),
      ),
      evidence: { message_ids: ['m0'] },
    });

  const read = async (caller: ReturnType<typeof callerOf>) =>
    (await getDocument(running().engine, caller, dynamicDocument)).body.content as Record<string, Json[]>;

  it('are learned once, with the event as evidence, and go with it', async () => {
    const caller = newUser();
    const { engine } = running();
    const known = async () =>
      (await listFacts(engine, caller, { limit: 10, includeSuperseded: true })).items.map(
        ({ fact: { value, state }, status }) => `${value} ${status} ${state.trust}`,
      );
    await say(caller, 'I live in Lisbon.', '2026-03-02');
    expect(await known()).toEqual(['Lisbon current user']);
    const told = await say(caller, 'I live in Porto.', '2026-04-05');
    expect(await known()).toEqual(['Porto current user']);
    await forgetEvent(engine, caller, String(told?.event_id));
    expect(await known()).toEqual([]);
  });

  it('moves the verification time of a repeated fact only forward', async () => {
    const caller = newUser();
    await say(caller, 'I live in Lisbon.', '2026-03-02');
    expect(await say(caller, 'I live in Lisbon.', '2026-04-05')).toMatchObject({
      facts_proposed: 0,
      facts_confirmed: 1,
    });
    expect((await read(caller)).durable_facts).toMatchObject([
      { text: 'I live in Lisbon', last_verified_at: '2026-04-05T10:00:00.000Z' },
    ]);
    const { etag } = await getDocument(running().engine, caller, dynamicDocument);
    expect(await say(caller, 'I live in Lisbon.', '2026-03-20')).toMatchObject({ patches_applied: 0 });
    expect((await getDocument(running().engine, caller, dynamicDocument)).etag).toBe(etag);
  });

  it('extends an expired fact when it is repeated', async () => {
    const caller = newUser();
    await say(caller, "I'm in Rome until Friday.", '2026-03-02');
    await say(caller, "I'm in Rome until Friday.", '2026-03-09');
    expect((await read(caller)).durable_facts).toMatchObject([{ expires_at: '2026-03-14T00:00:00.000Z' }]);
  });

  it('promotes a pending fact when it is confirmed', async () => {
    const caller = newUser();
    const asked = ['I like jazz', 'I usually drink tea in the morning', 'The user lives in Lisbon', 'My name is Dana'];
    await write(caller, { pending_confirmations: asked.map((text) => fact(text)) });
    await say(caller, 'My name is Dana. I live in Lisbon. I usually drink tea in the morning.');
    const { durable_facts, pending_confirmations, preferences } = await read(caller);
    expect(pending_confirmations).toEqual([fact('I like jazz')]);
    expect(preferences).toEqual(['I usually drink tea in the morning']);
    expect(durable_facts).toMatchObject(
      ['My name is Dana', 'The user lives in Lisbon'].map((text) => ({
        text,
        evidence: { conversation_id: 'c1', message_ids: ['m1'] },
        last_verified_at: '2026-03-02T10:00:00.000Z',
      })),
    );
  });

  it('keeps a fact pending when it is repeated with doubt', async () => {
    const caller = newUser();
    const waiting = [fact('I live in Lisbon')];
    await write(caller, { pending_confirmations: waiting });
    await say(caller, 'I think I live in Lisbon.');
    expect(await read(caller)).toMatchObject({ durable_facts: [], pending_confirmations: waiting });
  });

  it('replaces a fact about another person with its correction', async () => {
    const caller = newUser();
    await say(caller, 'My manager is Tom.');
    await say(caller, 'My manager is Eva now.');
    expect((await read(caller)).durable_facts).toMatchObject([{ text: 'My manager is Eva now' }]);
  });

  it('applies certain facts even if others are less certain', async () => {
    const caller = newUser();
    const outcome = await say(caller, 'My name is Dana. I usually drink tea in the morning.');
    const { durable_facts, preferences } = await read(caller);
    expect(durable_facts).toMatchObject([{ text: 'My name is Dana' }]);
    expect(preferences).toEqual(['I usually drink tea in the morning']);
    expect(outcome).toMatchObject({ patches_applied: 2, patches_unresolved: 0 });
  });

  it('adds a section the document lacks', async () => {
    const { engine } = running();
    const admin = { ...newUser(), actor: { userId: 'root', serviceId: null, roles: ['admin' as const] } };
    const { ops: _ops, reason: _reason, ...place } = patchOf([]);
    await replaceDocument(engine, admin, { ...place, content: { preferences: ['tea'] } });
    await say(admin, 'My name is Dana. I live in Lisbon. I prefer coffee.');
    expect(await read(admin)).toMatchObject({
      preferences: ['tea', 'I prefer coffee'],
      durable_facts: [{ text: 'My name is Dana' }, { text: 'I live in Lisbon' }],
    });
  });

  it('finds the writable binding of a profile without initial content', async () => {
    const { engine } = running();
    const source: ProfileSource = {
      document_bindings: [
        {
          binding_id: 'locked',
          namespace: 'b',
          path: 'a.json',
          schema_id: 'memory.user.dynamic',
          schema_version: '1.0.0',
          write_mode: 'read_only',
        },
        {
          binding_id: 'open',
          namespace: 'b',
          path: 'b.json',
          schema_id: 'memory.user.dynamic',
          schema_version: '1.0.0',
        },
      ],
      writable_path_rules: { locked: ['/durable_facts'], open: ['/durable_facts'] },
      sections: { durable_facts: '/durable_facts' },
    };
    const admin = { ...callerOf('root'), actor: { userId: 'root', serviceId: null, roles: ['admin' as const] } };
    await registerProfile(engine, admin, { profileId: 'bare', precondition: { kind: 'none' }, source });
    const caller = newUser();
    expect(await say(caller, 'My name is Dana.', '2026-03-02', 'bare')).toMatchObject({ patches_applied: 1 });
    const { body } = await getDocument(engine, caller, { namespace: 'b', path: 'b.json' });
    expect(body.content.durable_facts).toMatchObject([{ text: 'My name is Dana' }]);
  });

  it('are learned beside a message that is longer than a memory can be', { timeout: 60_000 }, async () => {
    const caller = newUser();
    const { engine } = running();
    const messages = [
      { id: 'm1', role: 'user' as const, content: 'go team '.repeat(30_000) },
      { id: 'm2', role: 'user' as const, content: 'I live in Oslo.' },
    ];
    const place = { conversationId: 'c1', profileId: 'project-copilot-v1' };
    const { replayId = '' } = await takeSnapshot(engine, caller, { ...place, messages, replay: true });
    await replayConversation(engine, { tenantId: caller.tenantId, userId: caller.userId, replayId: replayId ?? '' });
    expect(await getReplay(engine, caller, replayId ?? '')).toMatchObject({ status: 'completed', error: null });
    const { items } = await listFacts(engine, caller, { limit: 10 });
    expect(items.map(({ fact }) => fact.value)).toEqual(['Oslo']);
  });
});
