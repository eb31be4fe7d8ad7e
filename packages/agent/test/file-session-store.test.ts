import { createHash } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FileSessionStore } from '../src/sessions/file-session-store.js';
import { event, said } from './support/session-events.js';
import { describeSessionStore } from './support/session-store-contract.js';
import { useTemporaryDirectory } from './support/temporary-directory.js';

const directory = useTemporaryDirectory();
const sessionFile = (id = 's1') => join(directory(), `${id}.jsonl`);
const indexFile = (id = 's1') => join(directory(), '.index', `${id}.jsonl.index`);

describe('sessions in files', () => {
  describeSessionStore(() => new FileSessionStore(directory()));

  it('is readable only by its owner', async () => {
    const store = new FileSessionStore(join(directory(), 'new'));
    await store.append('s1', [said('user', 'x')]);
    await store.search({ text: 'x', limit: 1 });
    const modeOf = (path: string) => statSync(join(directory(), 'new', path)).mode & 0o777;
    expect([modeOf('.'), modeOf('.index')]).toEqual([0o700, 0o700]);
    expect([modeOf('s1.jsonl'), modeOf('.index/s1.jsonl.index')]).toEqual([0o600, 0o600]);
  });

  it('loses at most the event being written when the machine stops at any point', async () => {
    const store = new FileSessionStore(directory());
    const events = [said('user', 'täglich 日本'), said('assistant', 'a\\"b'), event({ deep: [1, { x: null }] })];
    await store.append('s1', events);
    const whole = readFileSync(sessionFile());
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: whole.length }), async (length) => {
        writeFileSync(sessionFile(), whole);
        truncateSync(sessionFile(), length);
        const left = await store.read('s1');
        expect(left).toEqual(events.slice(0, left.length));
        expect(await store.search({ text: 'täglich', limit: 5 })).toHaveLength(Math.min(left.length, 1));
        const next = said('user', 'after the crash');
        await store.append('s1', [next]);
        expect(await store.read('s1')).toEqual([...left, next]);
        expect(await store.search({ text: 'crash', limit: 5 })).toHaveLength(1);
      }),
      { numRuns: 60 },
    );
  });

  it('skips lines that are not events', async () => {
    const store = new FileSessionStore(directory());
    const events = [
      said('user', 'green tea'),
      event(null),
      event({ role: 'user' }),
      event({ role: 'user', content: 5 }),
    ];
    await store.append('s1', events);
    appendFileSync(sessionFile(), 'null\n5\n{}\n["id"]\n\n{"id":1}\n');
    expect(await store.read('s1')).toEqual(events);
    expect(await store.search({ text: 'tea', limit: 5 })).toHaveLength(1);
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

  it('finds nothing in a directory that does not exist, and does not create it', async () => {
    const store = new FileSessionStore(join(directory(), 'none'));
    expect(await store.search({ text: 'tea', limit: 5 })).toEqual([]);
    expect(await store.list()).toEqual({ sessions: [] });
    expect(await store.delete('s1')).toBe(false);
    expect(readdirSync(directory())).toEqual([]);
  });
});

describe('the index of session files', () => {
  const open = () => new FileSessionStore(directory());
  const find = async (text: string, store = open()) =>
    (await store.search({ text, limit: 5 })).map((match) => match.text);

  it('reads only what changed', async () => {
    // Files that changed in the last two seconds are read again.
    const later = () => new FileSessionStore(directory(), { now: () => Date.now() + 10_000 });
    await later().append('s1', [said('user', 'green tea')]);
    expect(await find('green', later())).toEqual(['green tea']);
    const body = readFileSync(indexFile(), 'utf8').split('\n')[1]?.replace('green', 'mauve') ?? '';
    writeFileSync(indexFile(), `${createHash('sha256').update(body).digest('hex')}\n${body}`);
    const store = later();
    expect([await find('green', store), await find('mauve', store)]).toEqual([[], ['green tea']]);
    await store.append('s1', [said('user', 'white tea')]);
    expect([await find('mauve', store), await find('white', store)]).toEqual([['green tea'], ['white tea']]);
    expect([await find('mauve', later()), await find('white', later())]).toEqual([['green tea'], ['white tea']]);
  });

  it('follows files that are edited, replaced or removed by hand', async () => {
    const store = open();
    await store.append('s1', [said('user', 'green tea'), said('user', 'black bread')]);
    await store.append('s2', [said('user', 'green apples')]);
    expect(await find('green', store)).toHaveLength(2);
    const text = readFileSync(sessionFile(), 'utf8');
    writeFileSync(sessionFile(), text.replace('green tea', 'white tea'));
    for (const one of [store, open()]) {
      expect(await find('green', one)).toEqual(['green apples']);
      expect(await find('white', one)).toEqual(['white tea']);
    }
    writeFileSync(sessionFile(), `${text.replace('green tea', 'a pot of white tea')}${text}`);
    expect(await find('bread', store)).toHaveLength(2);
    rmSync(sessionFile('s2'));
    for (const one of [store, open()]) expect(await find('apples', one)).toEqual([]);
    expect(existsSync(indexFile('s2'))).toBe(false);
  });

  it('keeps no word of a deleted session', async () => {
    const store = open();
    await store.append('s1', [said('user', 'green tea')]);
    expect(await find('green', store)).toHaveLength(1);
    expect(readFileSync(indexFile(), 'utf8')).toContain('green');
    cpSync(indexFile(), `${indexFile()}.2b1c.new`);
    await store.delete('s1');
    expect(existsSync(indexFile())).toBe(false);
    await store.append('s2', [said('user', 'x')]);
    await find('x', store);
    expect(readdirSync(join(directory(), '.index'))).toEqual(['s2.jsonl.index']);
  });

  it('is rebuilt if it is damaged in any way', async () => {
    await open().append('s1', [said('user', 'green tea'), said('user', 'black bread')]);
    await find('tea');
    const whole = readFileSync(indexFile());
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: whole.length - 1 }), fc.nat({ max: 255 }), fc.boolean(), async (at, byte, cut) => {
        const damaged = Buffer.from(cut ? whole.subarray(0, at) : whole);
        if (!cut) damaged[at] = byte;
        writeFileSync(indexFile(), damaged);
        expect(await find('green')).toEqual(['green tea']);
        expect(await find('bread')).toEqual(['black bread']);
      }),
      { numRuns: 40 },
    );
    rmSync(indexFile());
    mkdirSync(indexFile());
    expect(await find('green')).toEqual(['green tea']);
  });

  it('is right after writers, searches and deletions that ran at the same time', async () => {
    const use = async (writer: number) => {
      const store = open();
      for (let n = 0; n < 12; n++) {
        await store.append(`s${writer % 2}`, [said('user', `tea ${writer}-${n}`)]);
        await store.append(`doomed${writer}`, [said('user', 'tea, soon forgotten')]);
        const found = await store.search({ text: `${writer}-${n}`, limit: 20 });
        expect(found.map(({ text }) => text)).toContain(`tea ${writer}-${n}`);
        await store.delete(`doomed${(writer + n) % 4}`);
      }
      await store.delete(`doomed${writer}`);
    };
    await Promise.all([0, 1, 2, 3].map(use));
    await Promise.all([0, 1, 2, 3].map((writer) => open().delete(`doomed${writer}`)));
    for (const id of ['s0', 's1']) expect(await open().read(id)).toHaveLength(24);
    expect(await find('forgotten')).toEqual([]);
    expect(await open().search({ text: 'tea', limit: 100 })).toHaveLength(48);
    expect(readdirSync(join(directory(), '.index')).sort()).toEqual(['s0.jsonl.index', 's1.jsonl.index']);
  });

  it('works without being stored, and never through a link', async () => {
    await open().append('s1', [said('user', 'green tea')]);
    mkdirSync(join(directory(), 'elsewhere'));
    writeFileSync(join(directory(), 'elsewhere', 'note.index'), 'mine');
    symlinkSync(join(directory(), 'elsewhere'), join(directory(), '.index'));
    expect(await find('green')).toEqual(['green tea']);
    expect(readdirSync(join(directory(), 'elsewhere'))).toEqual(['note.index']);
    rmSync(join(directory(), '.index'));
    writeFileSync(join(directory(), '.index'), '');
    expect(await find('green')).toEqual(['green tea']);
    expect(await open().delete('s1')).toBe(true);
  });

  it('finds an event whose line break was never written', async () => {
    await open().append('s1', [said('user', 'green tea')]);
    appendFileSync(sessionFile(), JSON.stringify(said('user', 'white tea')));
    const store = open();
    expect(await find('white', store)).toEqual(['white tea']);
    await store.append('s1', [said('user', 'black tea')]);
    expect((await find('tea', store)).sort()).toEqual(['black tea', 'green tea', 'white tea']);
  });
});
