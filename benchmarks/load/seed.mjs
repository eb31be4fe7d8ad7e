/** Stores the memories of all users in batches of the library, in a process of its own. */

import { openMemhall } from '../../packages/server/dist/index.js';
import { memoryText } from '../speed/sentences.mjs';
import { Vectors } from '../speed/vectors.mjs';
import { serveParent } from '../support/child.mjs';
import { memoriesPerUser, tenantName, tenantsFor, userName, usersPerTenant } from './population.mjs';

const atOnce = 4;

serveParent({
  /** @param {{ directory: string, databaseUrl?: string, from: number, memories: number, vectors: string, minutes: number }} input */
  async seed({ directory, databaseUrl, from, memories, vectors: file, minutes }) {
    const vectors = new Vectors(file);
    const memhall = await openMemhall({ dataDirectory: directory, ...(databaseUrl && { databaseUrl }) });
    const endMs = performance.now() + minutes * 60_000;
    const last = tenantsFor(memories) * usersPerTenant;
    let user = tenantsFor(from) * usersPerTenant * (from > 0 ? 1 : 0);
    let stored = 0;
    const fill = async () => {
      for (let number = user++; number < last; number = user++) {
        if (performance.now() > endMs)
          throw new Error(`storing ${memories} memories took more than ${minutes} minutes`);
        const first = number * memoriesPerUser;
        const items = Array.from({ length: memoriesPerUser }, (_, index) => ({
          content: memoryText(first + index),
          embedding: vectors.ofMemory(first + index),
        }));
        const tenant = tenantName(Math.floor(number / usersPerTenant));
        await memhall.as({ tenant, user: userName(number % usersPerTenant) }).rememberMany(items);
        stored += items.length;
      }
    };
    try {
      await Promise.all(Array.from({ length: atOnce }, fill));
    } finally {
      await memhall.close();
    }
    return stored;
  },
});
