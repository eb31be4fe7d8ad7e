import { randomUUID } from 'node:crypto';
import type { Json, PatchOperation } from '@memhall/core';
import { describe, expect, it, vi } from 'vitest';
import type { Caller } from '../src/engine/caller.js';
import { compactDocuments } from '../src/engine/compaction/compact-documents.js';
import { listUnresolved } from '../src/engine/conversations/unresolved.js';
import { agreeDocuments, usersWithDueDocuments } from '../src/engine/document-facts/agree-documents.js';
import { documentHistory } from '../src/engine/documents/document-history.js';
import { getDocument } from '../src/engine/documents/get-document.js';
import { patchDocument } from '../src/engine/documents/patch-document.js';
import type { ProfileSource } from '../src/engine/documents/profile-shape.js';
import { registerProfile } from '../src/engine/documents/register-profile.js';
import { registerSchema } from '../src/engine/documents/register-schema.js';
import { replaceDocument } from '../src/engine/documents/replace-document.js';
import { retractFact, undoFact } from '../src/engine/facts/change-fact.js';
import { learner } from '../src/engine/facts/learn-facts.js';
import { putFact } from '../src/engine/facts/put-fact.js';
import { getFact, listFacts } from '../src/engine/facts/read-facts.js';
import { forgetUser } from '../src/engine/governance/forget-user.js';
import { forgetMemories } from '../src/engine/memories/forget-memories.js';
import { remember } from '../src/engine/memories/remember.js';
import { revertSource } from '../src/engine/sources/revert-source.js';
import { countTrips } from './support/count-trips.js';
import { describeOneDatabase } from './support/databases.js';
import { callerOf, useEngine } from './support/engine.js';

const profileId = 'people';
const schema = {
  type: 'object',
  properties: {
    city: { type: 'string' },
    allergies: { type: 'array', items: { type: 'string' } },
    facts: { type: 'array' },
    notes: { type: 'array' },
  },
};
const binding = {
  binding_id: 'person',
  namespace: 'people',
  path_template: '{name}.json',
  schema_id: 'person',
  schema_version: '1',
  initial: { allergies: [], facts: [], notes: [] },
};
const profile: ProfileSource = {
  document_bindings: [
    { ...binding, write_mode: 'replace_allowed' },
    { ...binding, binding_id: 'fixed', namespace: 'fixed' },
    { ...binding, binding_id: 'plain', namespace: 'plain' },
  ],
  writable_path_rules: { person: ['/city', '/allergies', '/facts', '/notes'], plain: ['/city', '/notes'] },
  confidence_rules: { min_confidence_for_auto_apply: 0.5 },
  compaction_rules: { person: { max_facts: 10 } },
  sections: { durable_facts: '/facts' },
  fact_rules: {
    person: [
      { path: '/city', attribute: 'lives in', subject: '{name}' },
      { path: '/allergies', attribute: 'allergic to', subject: '{name}' },
      { path: '/facts', subject: '{name}' },
    ],
    fixed: [{ path: '/city', attribute: 'lives in', subject: '{name}' }],
  },
};

describeOneDatabase('governed documents and facts', (database) => {
  const running = useEngine(database);
  let isRegistered = false;

  /** A user with a document about somebody of that name. */
  async function newPerson(name = 'me') {
    const { engine } = running();
    const caller: Caller = { ...callerOf(`u-${randomUUID()}`), operation: 'documents.patch' };
    const admin: Caller = { ...caller, actor: { userId: 'root', serviceId: null, roles: ['admin'] } };
    if (!isRegistered) {
      await registerSchema(engine, admin, { schemaId: 'person', version: '1', schema, migration: null });
      await registerProfile(engine, admin, { profileId, source: profile, precondition: { kind: 'none' } });
      isRegistered = true;
    }
    const write = (bindingId: string) => ({
      ...{ namespace: bindingId === 'person' ? 'people' : bindingId, path: `${name}.json`, profileId, bindingId },
      ...({ evidence: { by: 'hand' }, confidence: null, precondition: { kind: 'none' }, idempotency: null } as const),
    });
    const patchBy = (by: Caller, ops: PatchOperation[], bindingId = 'person', reason = 'live_update') =>
      patchDocument(engine, by, { ...write(bindingId), reason, ops });
    const patch = (...ops: PatchOperation[]) => patchBy(caller, ops);
    const replaceBy = (by: Caller, content: { [key: string]: Json }, bindingId = 'person') =>
      replaceDocument(engine, by, { ...write(bindingId), content });
    const agree = () => agreeDocuments(engine, caller);
    const content = async (namespace = 'people') =>
      (await getDocument(engine, caller, { namespace, path: `${name}.json` })).body.content;
    const facts = async (attribute = 'lives in') => {
      const query = { attribute, includeSuperseded: true, limit: 100 };
      return (await listFacts(engine, caller, query)).items;
    };
    const list = async (attribute?: string) =>
      (await facts(attribute)).map(({ fact, status }) => `${fact.value} ${status}`);
    const find = async (value: string, attribute?: string) => {
      const found = (await facts(attribute)).find(({ fact }) => fact.value === value);
      if (found === undefined) throw new Error(`no fact ${value}`);
      return found.fact;
    };
    const say = async (text: string) => {
      const { memory } = await remember(
        engine,
        caller,
        { kind: 'note', content: text },
        { follows: learner(engine, caller) },
      );
      return memory.id;
    };
    const history = async () => {
      const { items } = await documentHistory(engine, caller, {
        namespace: 'people',
        path: `${name}.json`,
        limit: 100,
      });
      return items;
    };
    return { engine, caller, admin, patchBy, patch, replaceBy, agree, content, facts, list, find, say, history };
  }

  const set = (path: string, value: Json): PatchOperation => ({ op: 'add', path: `/content${path}`, value });
  const drop = (path: string): PatchOperation => ({ op: 'remove', path: `/content${path}` });

  describe('a document that somebody edits', () => {
    it('states facts, with the trust of the writer and the piece as evidence', async () => {
      const { engine, caller, admin, patch, replaceBy, facts } = await newPerson();
      await patch(set('/city', 'Bergen'));
      const [bergen] = await facts();
      expect(bergen).toMatchObject({
        status: 'current',
        fact: { subject: 'me', attribute: 'lives in', value: 'Bergen', state: { trust: 'user' } },
      });
      const { evidence } = await getFact(engine, caller, bergen?.fact.id ?? '');
      expect(evidence).toMatchObject([{ kind: 'document', content: 'Bergen', metadata: { pointer: '/content/city' } }]);
      await replaceBy(admin, { city: 'Oslo' });
      const [oslo, before] = await facts();
      expect(oslo).toMatchObject({ status: 'current', fact: { value: 'Oslo', state: { trust: 'operator' } } });
      expect(before).toMatchObject({ status: 'superseded', fact: { value: 'Bergen' } });
    });

    it('reads texts as statements, and elements of lists as values', async () => {
      const { patch, list } = await newPerson();
      const entry = { text: 'I work at Siemens', confidence: 0.9, evidence: { by: 'hand' } };
      await patch(set('/facts/-', entry), set('/facts/-', 'What a day'), set('/allergies', ['nuts', 'milk', 'nuts']));
      expect(await list('works at')).toEqual(['Siemens current']);
      expect((await list('allergic to')).sort()).toEqual(['milk current', 'nuts current']);
    });

    it('is about whom the path names', async () => {
      const { patch, facts } = await newPerson('Anna');
      await patch(set('/city', 'Rome'), set('/facts', ['Works at Siemens', 'Oslo is in Norway']));
      expect(await facts()).toMatchObject([{ fact: { subject: 'Anna', value: 'Rome' } }]);
      expect(await facts('works at')).toMatchObject([{ fact: { subject: 'Anna', value: 'Siemens' } }]);
    });

    it('may leave out that a text is about the user', async () => {
      const { patch, facts } = await newPerson();
      await patch(set('/facts', ['Lives in Lisbon.', 'Likes rain', 'Bob works at Siemens']));
      expect(await facts()).toMatchObject([{ fact: { subject: 'me', value: 'Lisbon' } }]);
      expect(await facts('likes')).toMatchObject([{ fact: { subject: 'me', value: 'rain' } }]);
      expect(await facts('works at')).toMatchObject([{ fact: { subject: 'Bob' } }]);
    });

    it('is restored with its facts when its author is reverted', async () => {
      const { engine, admin, patch, replaceBy, content, list } = await newPerson();
      const intruder: Caller = { ...admin, actor: { userId: 'intruder', serviceId: null, roles: ['admin'] } };
      await patch(set('/city', 'Bergen'));
      await replaceBy(intruder, { city: 'Oslo' });
      expect(await list()).toEqual(['Oslo current', 'Bergen superseded']);
      await revertSource(engine, admin, { author: 'intruder' }, false);
      expect(await list()).toEqual(['Bergen current']);
      expect(await content()).toMatchObject({ city: 'Bergen' });
    });

    it('ends what is removed, if nothing else says it', async () => {
      const { patch, list, say } = await newPerson();
      await patch(set('/city', 'Bergen'), set('/allergies', ['nuts', 'milk']));
      await say('I am allergic to milk.');
      await patch(drop('/city'), set('/allergies', []));
      expect(await list()).toEqual(['Bergen ended']);
      expect((await list('allergic to')).sort()).toEqual(['milk current', 'nuts ended']);
    });

    it('ends nothing when the same is said in other words, or moves', async () => {
      const { patch, list, facts } = await newPerson();
      await patch(set('/facts', ['I live in Bergen']));
      await patch(set('/facts', ['I live in Bergen.']));
      expect(await list()).toEqual(['Bergen current']);
      await patch(set('/facts', ['A new line', 'I live in Bergen.']));
      expect(await list()).toEqual(['Bergen current']);
      expect(await facts()).toHaveLength(1);
    });

    it('does not end or replace what somebody more trusted said', async () => {
      const { caller, patch, patchBy, list } = await newPerson();
      const service: Caller = { ...caller, actor: { userId: null, serviceId: 'bot', roles: ['service'] } };
      await patch(set('/city', 'Bergen'));
      await patchBy(service, [set('/city', 'Oslo')]);
      expect((await list()).sort()).toEqual(['Bergen current', 'Oslo unconfirmed']);
      await patchBy(service, [drop('/city')]);
      expect(await list()).toEqual(['Bergen current']);
    });

    it('says it again when a value returns', async () => {
      const { patch, list } = await newPerson();
      await patch(set('/city', 'Bergen'));
      await patch(set('/city', 'Oslo'));
      await patch(set('/city', 'Bergen'));
      expect(await list()).toEqual(['Bergen current', 'Oslo superseded', 'Bergen superseded']);
    });

    it('states nothing where a secret was removed, or without a mapping', async () => {
      const { caller, patch, patchBy, facts } = await newPerson();
      await patch(set('/city', 'AKIAIOSFODNN7EXAMPLE'), set('/notes', ['I live in Rome']));
      await patchBy(caller, [set('/city', 'Paris')], 'plain');
      expect(await facts()).toEqual([]);
    });

    it('costs no more round trips without a mapping than without facts', async () => {
      const { engine, caller, patchBy } = await newPerson();
      await patchBy(caller, [set('/city', 'Paris')], 'plain');
      await putFact(engine, caller, { subject: 'me', attribute: 'lives in', value: 'Rome' });
      const { database } = running();
      expect(await countTrips(database, () => patchBy(caller, [set('/city', 'Rome')], 'plain'))).toBe(2);
      expect(await countTrips(database, () => patchBy(caller, [drop('/city')], 'plain'))).toBe(2);
    });
  });

  describe('a fact that changes', () => {
    it('replaces its value in the document through a patch', async () => {
      const { engine, caller, patch, content, say, agree, history, list } = await newPerson();
      await patch(set('/city', 'Bergen'));
      expect(await agree()).toBe(0);
      expect(await usersWithDueDocuments(engine, 't1')).not.toContain(caller.userId);
      await say('I moved to Oslo last week.');
      expect(await usersWithDueDocuments(engine, 't1')).toContain(caller.userId);
      expect(await agree()).toBe(1);
      expect(await content()).toMatchObject({ city: 'Oslo' });
      const [last] = await history();
      expect(last).toMatchObject({
        reason: 'fact_update',
        confidence: 1,
        updated_by: 'memhall',
        evidence: { fact_ids: [expect.any(String)] },
        actor: { service_id: 'memhall' },
      });
      expect(await list()).toEqual(['Oslo current', 'Bergen superseded']);
      expect(await agree()).toBe(0);
      expect(await history()).toHaveLength(2);
    });

    it('is no evidence of itself: what is forgotten leaves the document', async () => {
      const { engine, caller, patch, content, say, agree, list, find } = await newPerson();
      await patch(set('/city', 'Bergen'));
      const oslo = await say('I moved to Oslo last week.');
      await agree();
      expect((await find('Oslo')).evidence).toEqual([oslo]);
      await forgetMemories(engine, caller, [oslo]);
      expect(await list()).toEqual(['Bergen current']);
      await agree();
      expect(await content()).toMatchObject({ city: 'Bergen' });
    });

    it('removes its value when it ends, and brings it back when that is undone', async () => {
      const { engine, caller, patch, content, say, agree, find } = await newPerson();
      await patch(set('/facts', ['I work at Siemens', 'Likes rain']), set('/allergies', ['nuts', 'milk']));
      await say('I quit my job.');
      await retractFact(engine, caller, (await find('milk', 'allergic to')).id);
      await agree();
      expect(await content()).toMatchObject({ facts: ['Likes rain'], allergies: ['nuts'] });
      await undoFact(engine, caller, (await find('Siemens', 'works at')).id);
      const { items } = await listFacts(engine, caller, { limit: 100 });
      expect(items.map(({ fact }) => fact.value)).not.toContain('milk');
      await agree();
      expect(await content()).toMatchObject({ facts: ['Likes rain', 'I work at Siemens'], allergies: ['nuts'] });
    });

    it('restores the document exactly when it is undone', async () => {
      const { engine, caller, patch, content, say, agree, find } = await newPerson();
      const entry = { text: 'I live in Bergen', confidence: 0.9, evidence: { by: 'hand' }, last_verified_at: 'x' };
      await patch(set('/city', 'Bergen'), set('/facts', [entry, 'Likes rain']));
      await say('I moved to Oslo last week.');
      await agree();
      const oslo = await find('Oslo');
      expect(await content()).toMatchObject({
        city: 'Oslo',
        facts: [
          {
            text: 'Lives in Oslo',
            confidence: 1,
            evidence: { fact_ids: [oslo.id] },
            last_verified_at: expect.stringMatching(/Z$/),
          },
          'Likes rain',
        ],
      });
      await undoFact(engine, caller, oslo.id);
      await agree();
      expect(await content()).toMatchObject({ city: 'Bergen', facts: [entry, 'Likes rain'] });
    });

    it('brings back what was removed by hand only if that is undone', async () => {
      const { engine, caller, patch, content, say, agree, find } = await newPerson();
      await patch(set('/city', 'Bergen'));
      await patch(drop('/city'));
      await agree();
      expect(await content()).not.toHaveProperty('city');
      await undoFact(engine, caller, (await find('Bergen')).id);
      await agree();
      expect(await content()).toMatchObject({ city: 'Bergen' });
      await patch(drop('/city'));
      await say('I live in Rome now.');
      await agree();
      expect(await content()).not.toHaveProperty('city');
    });

    it('leaves alone what it does not speak of, and texts that say more', async () => {
      const { patch, content, say, agree } = await newPerson();
      const facts = ['I live in Bergen and I have a small blue boat there', 'Likes rain'];
      await patch(set('/facts', facts), set('/notes', ['Bergen']));
      await say('I moved to Oslo last week.');
      await agree();
      expect(await content()).toMatchObject({ facts, notes: ['Bergen'] });
    });

    it('becomes an unresolved patch where the profile does not allow it, which goes when they agree', async () => {
      const { engine, caller, admin, replaceBy, content, say, agree, find } = await newPerson();
      await replaceBy(admin, { city: 'Bergen' }, 'fixed');
      await say('I moved to Oslo last week.');
      expect(await agree()).toBe(0);
      expect(await content('fixed')).toMatchObject({ city: 'Bergen' });
      const unresolved = async () => (await listUnresolved(engine, caller, { limit: 10 })).items;
      expect(await unresolved()).toMatchObject([
        { problemCode: 'PATH_NOT_WRITABLE', status: 'review', ops: [{ op: 'replace', value: 'Oslo' }] },
      ]);
      await undoFact(engine, caller, (await find('Oslo')).id);
      await agree();
      expect(await unresolved()).toEqual([]);
    });

    it('is followed on its day', async () => {
      const { engine, caller, patch, content, agree } = await newPerson();
      await patch(set('/city', 'Bergen'));
      const tomorrow = new Date(Date.now() + 86_400_000);
      await putFact(engine, caller, { subject: 'me', attribute: 'lives in', value: 'Oslo', validFrom: tomorrow });
      expect(await agree()).toBe(0);
      const later = { ...engine, clock: { now: () => new Date(tomorrow.getTime() + 1000) } };
      expect(await usersWithDueDocuments(engine, 't1')).not.toContain(caller.userId);
      expect(await usersWithDueDocuments(later, 't1')).toContain(caller.userId);
      expect(await agreeDocuments(later, caller)).toBe(1);
      expect(await content()).toMatchObject({ city: 'Oslo' });
    });

    it('is not hurt by a compaction', async () => {
      const { engine, caller, patch, list } = await newPerson();
      await patch(set('/facts', ['I live in Bergen', 'I live in Bergen!']));
      await compactDocuments(engine, 't1', { userId: caller.userId });
      expect(await list()).toEqual(['Bergen current']);
    });
  });

  it('go with their user', async () => {
    const { engine, caller, admin, patch } = await newPerson();
    await patch(set('/city', 'Bergen'));
    const { counts } = await forgetUser(engine, admin);
    expect(counts).toMatchObject({ facts: 1, fact_places: 1 });
    expect(await usersWithDueDocuments(engine, caller.tenantId)).not.toContain(caller.userId);
  });
});

describeOneDatabase('documents that agree with facts', (database) => {
  const running = useEngine(database, { jobs: 'true' });

  it('are patched by a job as soon as the fact has changed', async () => {
    const { engine } = running();
    const caller: Caller = { ...callerOf(`u-${randomUUID()}`), operation: 'documents.patch' };
    const place = { namespace: 'user', path: 'user_dynamic.json' };
    const given = { evidence: { by: 'hand' }, confidence: 0.9 };
    const value = { text: 'I live in Bergen', ...given, last_verified_at: '2026-01-01T00:00:00.000Z' };
    await patchDocument(engine, caller, {
      ...{ ...place, ...given, profileId: 'project-copilot-v1', bindingId: 'user_dynamic', reason: 'live_update' },
      ...({ precondition: { kind: 'none' }, idempotency: null } as const),
      ops: [{ op: 'add', path: '/content/durable_facts/-', value }],
    });
    await putFact(engine, caller, { subject: 'me', attribute: 'lives in', value: 'Oslo' });
    await vi.waitFor(
      async () => {
        const { body } = await getDocument(engine, caller, place);
        expect(body.content.durable_facts).toMatchObject([{ text: 'Lives in Oslo' }]);
      },
      { timeout: 20_000, interval: 50 },
    );
  });
});
