import { expect, it } from 'vitest';
import { FileSessionStore } from '../src/sessions/file-session-store.js';
import { useTemporaryDirectory } from './support/temporary-directory.js';
import { writeUntilKilled } from './support/write-until-killed.js';

const directory = useTemporaryDirectory();

it('every acknowledged event is stored exactly once and in order after kill -9', async () => {
  const opening = `
    import { FileSessionStore } from '@memhall/agent';
    const store = new FileSessionStore(${JSON.stringify(directory())});`;
  const store = new FileSessionStore(directory());
  let next = 0;
  for (const count of [5, 30, 80]) {
    const last = await writeUntilKilled(opening, next, count);
    const ids = (await store.read('s1')).map(({ id }) => Number(id));
    expect(ids).toEqual([...ids.keys()]);
    expect(ids.length).toBeGreaterThan(last);
    expect(await store.search({ text: `message ${last}`, limit: 1 })).toHaveLength(1);
    next = ids.length;
  }
});
