import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { getFact } from '../../../src/engine/facts/read-facts.js';
import { mayRead, type Plant, type Reader, users } from './cast.js';
import { everywhereWord, type Planter } from './plant.js';
import { forUser, onBehalf, type Sightings } from './sightings.js';
import type { WidestView } from './widest-view.js';

interface World {
  planter: Planter;
  sightings: Sightings;
  view: () => WidestView;
}

/** Asks for facts: each user has one, with the planted word as its value and the planted memory as its evidence. */
export function askForFacts(
  readers: readonly (readonly [string, Reader])[],
  { planter, sightings, view }: World,
): void {
  const ids = new Map<Plant, string>();
  const isOf = (reader: Reader) => (plant: Plant) =>
    ids.has(plant) && plant.tenant === reader.tenant && plant.writer === reader.user;
  const toFact = ({ word }: Plant, evidence: readonly string[]) => ({
    ...{ subject: everywhereWord, attribute: 'place', value: `near ${word}`, evidence },
  });
  const bodyFor = (reader: Reader) => ({ reason: 'just trying', ...forUser(reader) });

  beforeAll(async () => {
    const stated = sightings.plants.filter(({ row, word }) => row === 'remember' && word !== '');
    for (const plant of stated) {
      const owner = { name: '', tenant: plant.tenant, user: plant.writer ?? '' };
      const body = toFact(plant, plant.ids);
      const { fact } = await planter.send(owner, { method: 'PUT', path: '/v1/facts', body });
      ids.set(plant, fact.id);
    }
    expect(ids.size).toBe(2 * users.length);
  });

  it.each(readers)('GET /v1/facts lists the user’s own facts, as %s', async (_, reader) => {
    const own = (path: string) => planter.send(reader, { path: `${path}${onBehalf(reader, '&')}` });
    const about = JSON.stringify(await own(`/v1/facts?limit=100&subject=${everywhereWord}`));
    sightings.expectExactly(about, isOf(reader));
    const all = JSON.stringify(await own('/v1/facts?limit=100&include_superseded=true'));
    const seen = [...ids].filter(([{ word }, id]) => all.includes(id) || all.includes(word)).map(([plant]) => plant);
    expect(seen).toEqual([...ids.keys()].filter(isOf(reader)));
  });

  it.each(readers)('ids of facts lead only to the user’s own, as %s', async (_, reader) => {
    const token = await planter.tokenOf(reader);
    const ask = async (id: string) => {
      const got = await planter.server.call({ path: `/v1/facts/${id}${onBehalf(reader, '?')}`, token });
      const changes = [];
      for (const verb of ['retract', 'confirm', 'reject', 'undo']) {
        const call = { method: 'POST', path: `/v1/facts/${id}:${verb}`, body: bodyFor(reader), token };
        changes.push((await planter.server.call(call)).body);
      }
      return { got, text: JSON.stringify([got.body, changes]).replaceAll(id, '<id>') };
    };
    const missing = await ask(randomUUID());
    for (const [plant, id] of ids) {
      if (isOf(reader)(plant)) {
        const { body } = await planter.server.call({ path: `/v1/facts/${id}${onBehalf(reader, '?')}`, token });
        sightings.expectExactly(JSON.stringify(body), (one) => one === plant);
      } else {
        const { got, text } = await ask(id);
        expect([got.status, withoutRequest(text)]).toEqual([404, withoutRequest(missing.text)]);
      }
    }
  });

  it.each(readers)('what may not be read cannot be evidence, as %s', async (_, reader) => {
    const put = async (plant: Plant, id: string) => {
      const body = { ...toFact(plant, [id]), ...forUser(reader) };
      const call = { method: 'PUT', path: '/v1/facts', body, token: await planter.tokenOf(reader) };
      const answer = await planter.server.call(call);
      return [answer.status, withoutRequest(JSON.stringify(answer.body).replaceAll(id, '<id>'))];
    };
    const hidden = sightings.sampleFor(reader).filter((plant) => !mayRead(reader, plant));
    const missing = await put(hidden[0] as Plant, randomUUID());
    expect(missing[0]).toBe(404);
    for (const plant of hidden) expect([plant, await put(plant, plant.ids[0] ?? '')]).toEqual([plant, missing]);
  });

  it('a fact of somebody else costs as many statements as one that does not exist', async () => {
    for (const [, reader] of readers.slice(0, 3)) {
      const count = (id: string, wanted?: readonly number[]) =>
        view().countStatements(reader, [(engine, member) => getFact(engine, member, id)], wanted);
      const [one = 0, other = 0] = [...(await count(randomUUID())), ...(await count(randomUUID()))];
      const absent = [Math.min(one, other)];
      const foreign = [...ids].filter(([plant]) => !isOf(reader)(plant));
      for (const [, id] of foreign) expect(await count(id, absent)).toEqual(absent);
    }
  });
}

/** Returns the text of a problem without the id of its request. */
export function withoutRequest(text: string): string {
  return text.replaceAll(/"(request_id|instance)":"[^"]*"/g, '');
}
