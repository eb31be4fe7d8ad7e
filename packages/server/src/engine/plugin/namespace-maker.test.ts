import { Problem } from '@memhall/core';
import { describe, expect, it } from 'vitest';
import { NamespaceMaker } from './namespace-maker.js';

/** A namespace that may be missing, with a record of the calls. */
class Place {
  isThere = false;
  readonly done: string[] = [];

  async write(text: string): Promise<string> {
    if (!this.isThere) {
      this.done.push(`missed by ${text}`);
      throw new Problem('NOT_FOUND', 'There is no such namespace.');
    }
    this.done.push(text);
    return text;
  }

  async make(): Promise<void> {
    this.done.push('made');
    this.isThere = true;
  }
}

describe('writing to a namespace that may be missing', () => {
  const writeTo = (maker: NamespaceMaker, place: Place, text: string, heard: Promise<unknown> = Promise.resolve()) =>
    maker.write({
      key: 'workspace:a',
      write: () => place.write(text).finally(() => heard),
      make: () => place.make(),
    });

  it('creates it only if it is missing', async () => {
    const [maker, place] = [new NamespaceMaker(), new Place()];
    expect(await writeTo(maker, place, 'one')).toBe('one');
    expect(await writeTo(maker, place, 'two')).toBe('two');
    expect(place.done).toEqual(['missed by one', 'made', 'one', 'two']);
  });

  it('does not create it again for a write that learns late that it was missing', async () => {
    const [maker, place] = [new NamespaceMaker(), new Place()];
    let hear = () => {};
    const late = writeTo(maker, place, 'late', new Promise<void>((done) => (hear = done)));
    await writeTo(maker, place, 'one');
    hear();
    await late;
    expect(place.done).toEqual(['missed by late', 'missed by one', 'made', 'one', 'late']);
  });

  it('creates it once for concurrent writes that find it missing', async () => {
    const [maker, place] = [new NamespaceMaker(), new Place()];
    await Promise.all(['one', 'two', 'three'].map((text) => writeTo(maker, place, text)));
    expect(place.done.filter((what) => what === 'made')).toHaveLength(1);
    expect(place.done.slice(-3).sort()).toEqual(['one', 'three', 'two']);
  });

  it('creates it again if it was removed, even before the write it was created for', async () => {
    const [maker, place] = [new NamespaceMaker(), new Place()];
    let removals = 1;
    const make = async () => {
      await place.make();
      if (removals-- > 0) place.isThere = false;
    };
    expect(await maker.write({ key: 'workspace:a', write: () => place.write('one'), make })).toBe('one');
    place.isThere = false;
    expect(await writeTo(maker, place, 'two')).toBe('two');
  });

  it('gives up if it is removed every time, and on other errors', async () => {
    const [maker, place] = [new NamespaceMaker(), new Place()];
    const make = async () => undefined;
    const removed = maker.write({ key: 'workspace:a', write: () => place.write('one'), make });
    await expect(removed).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const refuse = () => Promise.reject(new Problem('FORBIDDEN', 'No.'));
    await expect(maker.write({ key: 'workspace:a', write: refuse, make })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(place.done).toEqual(['missed by one', 'missed by one', 'missed by one']);
  });
});
