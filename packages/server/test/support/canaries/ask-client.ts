import { expect, it } from 'vitest';
import { OneMemoryClient } from '../../../../client/src/one-memory.js';
import { collectAll } from '../collect-all.js';
import { finds, mayRead, type Reader, type Scope } from './cast.js';
import { type Planter, everywhereWord as query } from './plant.js';
import { forUser, type Sightings } from './sightings.js';

const scopeSets: readonly (readonly Scope[])[] = [['own', 'shared', 'public'], ['own']];

/** Asks with the TypeScript client. */
export function askClient(
  readers: readonly (readonly [string, Reader])[],
  { planter, sightings }: { planter: Planter; sightings: Sightings },
): void {
  it.each(readers)('the client finds, lists and shows what may be read, as %s', async (_, reader) => {
    const client = new OneMemoryClient({ baseUrl: planter.server.url, token: () => planter.tokenOf(reader) });
    const { user_id: userId } = forUser(reader);
    const options = userId === undefined ? {} : { userId };
    for (const scopes of scopeSets) {
      const found = await client.recall({ query, limit: 100, scopes: [...scopes] }, options);
      sightings.expectExactly(JSON.stringify(found), (plant) => finds(reader, plant, 'recall', scopes));
    }
    const sessions = await client.recallSessions({ query, limit: 100 }, options);
    const readable = sightings.readableIds(reader);
    expect(sightings.idsIn(JSON.stringify(sessions)).filter((id) => !readable.includes(id))).toEqual([]);
    const listed = await collectAll(client.allMemories({}, { ...options, limit: 100 }));
    sightings.expectExactly(JSON.stringify(listed), (plant) => mayRead(reader, plant));
    const hidden = sightings.plants.find((plant) => plant.ids.length > 0 && !mayRead(reader, plant));
    for (const [id = '', isShown] of [
      [readable[0], true],
      [hidden?.ids[0], false],
    ] as const) {
      const shown = [await client.getMemory(id, options), await client.whyRecalled(id, query, options)];
      expect(shown.map((one) => one !== null)).toEqual([isShown, isShown]);
    }
  });
}
