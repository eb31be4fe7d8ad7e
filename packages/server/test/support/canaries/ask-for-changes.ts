import { expect, it } from 'vitest';
import { mayRead, type Reader } from './cast.js';
import { type Planter, wordPattern } from './plant.js';
import { onBehalf, type Sightings } from './sightings.js';

/** Rows whose memories are recorded under their own ids. Others change with the record they are a part of. */
const isTold = new Set(['remember', 'library', 'semantic', 'committed', 'published', 'team', 'org', 'granted']);

/** Asks what changed, from the beginning. Ids are all that is told. */
export function askForChanges(
  readers: readonly (readonly [string, Reader])[],
  { planter, sightings }: { planter: Planter; sightings: Sightings },
): void {
  it.each(readers)('GET /v1/changes tells of nothing but what may be read, as %s', async (_, reader) => {
    const page = await planter.send(reader, { path: `/v1/changes?limit=500${onBehalf(reader, '&')}` });
    const told: { id: string }[] = page.changes;
    const readable = sightings.readableIds(reader);
    expect(sightings.idsIn(JSON.stringify(told)).filter((id) => !readable.includes(id))).toEqual([]);
    const expected = sightings.idsOf(sightings.plants.filter((one) => isTold.has(one.row) && mayRead(reader, one)));
    expect(told.map(({ id }) => id)).toEqual(expect.arrayContaining(expected));
    expect(JSON.stringify(page)).not.toMatch(wordPattern);
  });
}
