import { expect, it } from 'vitest';
import { runCommand } from '../command.js';
import { finds, mayRead, type Plant, type Reader } from './cast.js';
import { everywhereWord as query } from './plant.js';
import { namespaceOf, type Sightings } from './sightings.js';

/** Asks on the command line, which has no token: flags say who asks. There are none for agents, crews and services. */
export function askCommands(
  readers: readonly (readonly [string, Reader])[],
  { flags, sightings }: { flags: () => readonly string[]; sightings: Sightings },
): void {
  const able = readers.filter(([, { agent, crew, service }]) => (agent ?? crew ?? service) === undefined);

  it.each(able)('commands find, list and show what may be read, as %s', async (_, reader) => {
    const run = (...args: readonly string[]) => runCommand([...args, ...flagsOf(reader), ...flags()]);
    const isWanted = (plant: Plant) => isAskedFor(reader, plant);
    const recalled = await run('recall', query, '--limit', '100', '--explain', '--json');
    sightings.expectExactly(recalled.stdout, (plant) => isWanted(plant) && finds(reader, plant, 'recall'));
    const listed = await run('list', '--all', '--json');
    sightings.expectExactly(listed.stdout, (plant) => isWanted(plant) && mayRead(reader, plant));
    expect([recalled.code, listed.code]).toEqual([0, 0]);
  });

  it('commands treat ids of others as ids that do not exist', async () => {
    const [, reader] = able[0] as (typeof able)[number];
    const hidden = sightings.plants.filter((plant) => plant.ids.length > 0 && !mayRead(reader, plant));
    const [elsewhere, beside] = [false, true].map((isSame) =>
      hidden.find(({ tenant }) => (tenant === reader.tenant) === isSame),
    );
    const commands = (id: string) => [
      ['show', id],
      ['forget', id, '--yes', '--copies'],
      ['recall', query, '--why', id],
    ];
    for (const command of [0, 1, 2]) {
      const answers = [];
      for (const id of [elsewhere?.ids[0], beside?.ids[0], '019a0000-0000-7000-8000-000000000000']) {
        const answer = await runCommand([...(commands(id ?? '')[command] ?? []), ...flagsOf(reader), ...flags()]);
        answers.push({ ...answer, stderr: answer.stderr.replace(id ?? '', '<id>') });
      }
      expect(answers[2]).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('<id>') });
      expect(answers.slice(0, 2)).toEqual([answers[2], answers[2]]);
    }
  });
}

/** With `--namespace`, a command asks for nothing else. */
function isAskedFor({ namespaces }: Reader, plant: Plant): boolean {
  return namespaces === undefined || namespaces.includes(namespaceOf(plant) ?? '');
}

function flagsOf({ tenant, user, workspace, teams = [], org, namespaces = [] }: Reader): string[] {
  return [
    ...['--tenant', tenant, '--user', user],
    ...(workspace === undefined ? [] : ['--workspace', workspace]),
    ...teams.flatMap((team) => ['--team', team]),
    ...(org === undefined ? [] : ['--org', org]),
    ...namespaces.flatMap((name) => ['--namespace', name]),
  ];
}
