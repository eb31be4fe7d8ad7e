import { expect, it } from 'vitest';
import { type Reader, wrote } from './cast.js';
import type { Planter } from './plant.js';
import { onBehalf, type Sightings } from './sightings.js';

/** Exports what each reader owns, in both forms. */
export function askForExport(
  readers: readonly (readonly [string, Reader])[],
  { planter, sightings }: { planter: Planter; sightings: Sightings },
): void {
  it.each(readers)('an export has what the user owns and wrote, and nothing else, as %s', async (_, reader) => {
    const headers = { authorization: `Bearer ${await planter.tokenOf(reader)}` };
    for (const format of ['jsonl', 'markdown']) {
      const url = `${planter.server.url}/v1/memories:export?format=${format}${onBehalf(reader, '&')}`;
      const response = await fetch(url, { headers });
      expect(response.status).toBe(200);
      sightings.expectFound(await response.text(), (plant) => wrote(reader, plant));
    }
  });
}
