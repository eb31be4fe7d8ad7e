import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { FileSessionStore } from '../src/sessions/file-session-store.js';
import type { SessionEvent } from '../src/sessions/session-store.js';
import { useTemporaryDirectory } from './support/temporary-directory.js';

const directory = useTemporaryDirectory();
let made = 0;

function event(payload: SessionEvent['payload'], changes: Partial<SessionEvent> = {}): SessionEvent {
  made += 1;
  const at = new Date(made * 1000).toISOString();
  return { id: `e${made}`, run_id: 'r1', at, type: 'message', context_visible: true, payload, ...changes };
}

function said(role: string, content: string, changes: Partial<SessionEvent> = {}) {
  return event({ role, content }, changes);
}

describe('sessions in files', () => {
  it('returns appended events in order, also from another instance', async () => {
    const events = [said('user', 'line\nbreak “quoted” \u2028'), said('assistant', 'ok'), event(null)];
    const store = new FileSessionStore(directory());
    await store.append('s:1@x', events.slice(0, 1));
    await store.append('s:1@x', events.slice(1));
    await store.append('s:1@x', []);
    expect(await new FileSessionStore(directory()).read('s:1@x')).toEqual(events);
    expect(await store.read('s2')).toEqual([]);
  });

  it('is readable only by its owner', async () => {
    const store = new FileSessionStore(join(directory(), 'new'));
    await store.append('s1', [said('user', 'x')]);
    expect(statSync(join(directory(), 'new')).mode & 0o777).toBe(0o700);
    expect(statSync(join(directory(), 'new/s1.jsonl')).mode & 0o777).toBe(0o600);
  });

  it('stores every event of concurrent appends', async () => {
    const store = new FileSessionStore(directory());
    const events = Array.from({ length: 30 }, (_, n) => said('user', `message ${n}`));
    await Promise.all(events.map((one) => store.append('s1', [one])));
    expect(await store.read('s1')).toEqual(events);
  });

  it('loses at most the event being written when the machine stops at any point', async () => {
    const store = new FileSessionStore(directory());
    const events = [said('user', 'täglich 日本'), said('assistant', 'a\\"b'), event({ deep: [1, { x: null }] })];
    await store.append('s1', events);
    const path = join(directory(), 's1.jsonl');
    const whole = readFileSync(path);
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: whole.length }), async (length) => {
        writeFileSync(path, whole);
        truncateSync(path, length);
        const left = await store.read('s1');
        expect(left).toEqual(events.slice(0, left.length));
        const next = said('user', 'after the crash');
        await store.append('s1', [next]);
        expect(await store.read('s1')).toEqual([...left, next]);
      }),
      { numRuns: 60 },
    );
  });

  it('rejects if it cannot write', async () => {
    writeFileSync(join(directory(), 'file'), '');
    await expect(new FileSessionStore(join(directory(), 'file')).append('s1', [said('user', 'x')])).rejects.toThrow();
  });

  it('stays inside its directory for any id', async () => {
    const store = new FileSessionStore(join(directory(), 'in'));
    for (const id of ['..', '../x', '.', 'a/b']) await store.append(id, [said('user', id)]);
    expect(readdirSync(directory())).toEqual(['in']);
  });
});

describe('session search', () => {
  beforeEach(async () => {
    const store = new FileSessionStore(directory());
    await store.append('s1', [
      said('user', 'Which tea do I like?'),
      said('assistant', 'You like green tea from Kyoto.'),
      said('tool', 'tea tea tea'),
      said('user', 'secret tea', { context_visible: false }),
      event({ scope: ['tea'] }, { type: 'memory_gateway_recall_succeeded', context_visible: false }),
    ]);
    await store.append('s2', [
      event({ role: 'assistant', content: [{ type: 'text', text: 'Trains to Kyoto leave at nine.' }] }),
      said('user', '京都への電車は何時ですか', { run_id: 'r2' }),
    ]);
  });
  const find = async (text: string, more: object = {}) =>
    (await new FileSessionStore(directory()).search({ text, limit: 5, ...more })).map((match) => match.text);

  it('finds messages of users and assistants, rare words first', async () => {
    expect(await find('the trains for kyoto')).toEqual([
      'Trains to Kyoto leave at nine.',
      'You like green tea from Kyoto.',
    ]);
    expect(await find('tea')).toEqual(['You like green tea from Kyoto.', 'Which tea do I like?']);
    expect(await find('電車')).toHaveLength(1);
    expect(await find('train')).toEqual(['Trains to Kyoto leave at nine.']);
  });

  it('finds nothing for unknown words or for a query without words', async () => {
    expect(await find('coffee')).toEqual([]);
    expect(await find('?!')).toEqual([]);
    expect(await new FileSessionStore(join(directory(), 'none')).search({ text: 'tea', limit: 5 })).toEqual([]);
  });

  it('excludes hidden events, tools and the current run', async () => {
    expect(await find('secret scope')).toEqual([]);
    expect(await find('電車', { exceptRunId: 'r2' })).toEqual([]);
    expect(await find('tea', { limit: 1 })).toHaveLength(1);
  });

  it('shows an excerpt of a long text', async () => {
    const store = new FileSessionStore(directory());
    await store.append('s1', [said('user', `${'so '.repeat(1000)}needle${' on'.repeat(1000)}`)]);
    const [match] = await store.search({ text: 'Needle', limit: 1 });
    expect(match?.text).toMatch(/^….*needle.*…$/);
    expect(match?.text.length).toBeLessThan(700);
  });
});
