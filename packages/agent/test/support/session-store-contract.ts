import { beforeEach, describe, expect, it } from 'vitest';
import type { SessionQuery, SessionStore } from '../../src/sessions/session-store.js';
import { event, said } from './session-events.js';

/**
 * Checks what every session store promises. `open` returns an instance on the storage of the current test. Each test
 * needs an empty storage.
 */
export function describeSessionStore(open: () => SessionStore): void {
  let store: SessionStore;
  beforeEach(() => {
    store = open();
  });

  describe('append and read', () => {
    it('returns appended events in order, also from another instance', async () => {
      const events = [said('user', 'line\nbreak “quoted” \u2028'), said('assistant', 'ok'), event(null)];
      await store.append('s:1@x', events.slice(0, 1));
      await store.append('s:1@x', events.slice(1));
      await store.append('s:1@x', []);
      expect(await open().read('s:1@x')).toEqual(events);
      expect(await store.read('s2')).toEqual([]);
    });

    it('returns events of any shape as they were', async () => {
      const parts = [
        { type: 'text', text: 'I look it up. ' },
        { type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: { ['__proto__']: 1, q: 'täglich 日本 😀' } },
        { type: 'text', text: ' \n' },
        { type: 'text', text: 'One moment.' },
      ];
      const output = { type: 'json', value: { deep: [[{ x: null }]], nul: 'a\u0000b' } };
      const events = [
        said('user', ''),
        said('user', '   '),
        event({ role: 'assistant', content: parts }),
        event({ role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'look', output }] }),
        event({ error: 'TypeError' }, { type: 'run_failed', context_visible: false }),
        event([1, 'two', null], { type: 'odd' }),
      ];
      await store.append('s1', events);
      expect(await store.read('s1')).toEqual(events);
    });

    it('stores texts and tool results of any length', async () => {
      const long = `${'a long prompt '.repeat(20_000)}${' '.repeat(150_000)}end`;
      const events = [
        said('user', long),
        event({ role: 'tool', content: '日'.repeat(700_000) }),
        said('assistant', 'ok'),
      ];
      await store.append('s1', events);
      const found = await store.read('s1');
      expect(found.map(({ id }) => id)).toEqual(events.map(({ id }) => id));
      expect(found.every((one, n) => JSON.stringify(one) === JSON.stringify(events[n]))).toBe(true);
    });

    it('stores every event of concurrent appends in order', async () => {
      const events = Array.from({ length: 12 }, (_, n) => said('user', `message ${n}`));
      await Promise.all(events.map((one) => store.append('s1', [one])));
      expect(await store.read('s1')).toEqual(events);
    });

    it('stores every event of several writers, each in its order', async () => {
      const writers = ['left', 'right', 'third'];
      await Promise.all(
        writers.map(async (name) => {
          const own = open();
          for (let n = 0; n < 6; n++) await own.append('s1', [said('user', `${name} ${n}`), said('assistant', name)]);
        }),
      );
      const texts = (await store.read('s1')).map(({ payload }) => (payload as { content: string }).content);
      expect(texts).toHaveLength(36);
      for (const name of writers) {
        const own = texts.filter((text) => text.startsWith(`${name} `));
        expect(own).toEqual(Array.from({ length: 6 }, (_, n) => `${name} ${n}`));
      }
    });

    it('continues after what another writer appended', async () => {
      const events = [said('user', 'one'), said('assistant', 'two'), said('user', 'three'), said('assistant', 'four')];
      for (const [n, one] of events.entries()) await (n % 2 === 0 ? store : open()).append('s1', [one]);
      expect(await store.read('s1')).toEqual(events);
    });
  });

  describe('search', () => {
    beforeEach(async () => {
      await store.append('s1', [
        said('user', 'Which tea do I like?'),
        said('assistant', 'You like green tea from Kyoto.'),
        event({ role: 'tool', content: 'tea tea tea' }),
        said('user', 'the hidden walrus', { context_visible: false }),
        event({ scope: ['walrus'] }, { type: 'memory_gateway_recall_succeeded', context_visible: false }),
      ]);
      await store.append('s2', [
        event({ role: 'assistant', content: [{ type: 'text', text: 'Trains to Kyoto leave at nine.' }] }),
      ]);
      await store.append('s3', [said('user', '京都への電車は何時ですか', { run_id: 'r2' })]);
    });
    const find = async (text: string, more: Partial<SessionQuery> = {}) =>
      (await open().search({ text, limit: 5, ...more })).map((match) => match.text);

    it('finds messages of users and assistants, rare words first', async () => {
      const [first, ...others] = await store.search({ text: 'the trains for kyoto', limit: 5 });
      expect(first).toEqual({
        session_id: 's2',
        at: expect.stringMatching(/^1970-01-01T/),
        role: 'assistant',
        text: 'Trains to Kyoto leave at nine.',
      });
      expect(others).toContainEqual(expect.objectContaining({ text: 'You like green tea from Kyoto.' }));
      expect((await find('tea')).sort()).toEqual(['Which tea do I like?', 'You like green tea from Kyoto.']);
      expect(await find('電車')).toContain('京都への電車は何時ですか');
      expect((await find('train'))[0]).toBe('Trains to Kyoto leave at nine.');
    });

    it('finds what was appended a moment ago, by any writer', async () => {
      expect(await find('plumber')).toEqual([]);
      await open().append('s4', [said('user', 'The plumber has the key.')]);
      expect(await find('plumber')).toEqual(['The plumber has the key.']);
    });

    it('finds nothing for unknown words or for a query without words', async () => {
      expect(await find('xylophone')).toEqual([]);
      expect(await find('?!')).toEqual([]);
      expect(await find(' ')).toEqual([]);
    });

    it('excludes hidden events, tools and the current run', async () => {
      expect(await find('walrus scope')).toEqual([]);
      expect(await find('電車', { exceptRunId: 'r2' })).not.toContain('京都への電車は何時ですか');
      expect(await find('tea', { limit: 1 })).toHaveLength(1);
    });

    it('shows an excerpt of a long text', async () => {
      await store.append('s1', [said('user', `${'so '.repeat(1000)}needle${' on'.repeat(1000)}`)]);
      const [match] = await store.search({ text: 'Needle', limit: 1 });
      expect(match?.text).toMatch(/^….*needle.*…$/);
      expect(match?.text.length).toBeLessThan(700);
    });
  });

  describe('list', () => {
    it('returns the sessions with the latest append first, page by page', async () => {
      expect(await store.list()).toEqual({ sessions: [] });
      for (const id of ['s1', 's:2@x', 's3', 's1']) {
        await store.append(id, [said('user', 'x')]);
        // Times have milliseconds at best.
        await new Promise((done) => setTimeout(done, 5));
      }
      const all = await open().list();
      expect(all.sessions.map(({ session_id }) => session_id)).toEqual(['s1', 's3', 's:2@x']);
      for (const { last_at } of all.sessions) expect(Math.abs(Date.parse(last_at) - Date.now())).toBeLessThan(60_000);
      const { sessions, next_cursor = '' } = await store.list({ limit: 2 });
      expect(sessions).toEqual(all.sessions.slice(0, 2));
      expect(await store.list({ limit: 2, cursor: next_cursor })).toEqual({ sessions: all.sessions.slice(2) });
      expect(await store.list({ limit: 3 })).toEqual(all);
    });

    it.each([{ limit: 0 }, { limit: 101 }, { limit: 1.5 }, { cursor: 'nonsense' }])('rejects %j', async (page) => {
      await expect(store.list(page)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    });
  });

  describe('delete', () => {
    it('removes a session from everywhere, and no other', async () => {
      const kept = [said('user', 'the marmalade stays')];
      await store.append('s1', [said('user', 'the marmalade goes'), event(null, { context_visible: false })]);
      await store.append('s2', kept);
      expect(await store.search({ text: 'marmalade', limit: 5 })).toHaveLength(2);
      expect(await open().delete('s1')).toBe(true);
      for (const one of [store, open()]) {
        expect(await one.read('s1')).toEqual([]);
        expect(await one.read('s2')).toEqual(kept);
        expect((await one.list()).sessions.map(({ session_id }) => session_id)).toEqual(['s2']);
        const found = await one.search({ text: 'marmalade', limit: 5 });
        expect(found.map(({ session_id }) => session_id)).toEqual(['s2']);
        expect(await one.delete('s1')).toBe(false);
      }
    });

    it('lets the session begin again, in instances that knew the deleted one too', async () => {
      await store.append('s1', [said('user', 'before')]);
      await open().delete('s1');
      const after = [said('user', 'after'), said('assistant', 'ok')];
      await store.append('s1', after.slice(0, 1));
      await open().append('s1', after.slice(1));
      expect(await store.read('s1')).toEqual(after);
      expect((await open().list()).sessions).toHaveLength(1);
    });
  });
}
