import { performance } from 'node:perf_hooks';
import { median, round } from '../support/report.mjs';

/**
 * @typedef {import('../../packages/server/dist/index.js').Memhall} Memhall
 * @typedef {import('../../packages/server/dist/index.js').UserMemory} UserMemory
 */

const memories = 200;
const attributes = ['likes', 'skill', 'visited', 'lives in', 'works at', 'job title', 'owner', 'status', 'pet', 'uses'];
const cities = ['Bergen', 'Oslo', 'Turku', 'Porto', 'Graz', 'Leeds', 'Ghent', 'Split'];

/** @param {Memhall} memhall */
function usersOf(memhall) {
  return {
    none: memhall.as({ tenant: 'cost', user: 'none' }),
    many: memhall.as({ tenant: 'cost', user: 'many' }),
  };
}

/** @param {Memhall} memhall @param {number} facts */
export async function storeFacts(memhall, facts) {
  const users = usersOf(memhall);
  for (const memory of Object.values(users)) {
    const texts = Array.from(
      { length: memories },
      (_, number) => `Note ${number} about the garden, row ${number % 17}.`,
    );
    await memory.rememberMany(texts);
  }
  for (let number = 0; number < facts; number++) {
    const subject = `person ${Math.floor(number / attributes.length)}`;
    const attribute = attributes[number % attributes.length] ?? '';
    await users.many.facts.put({ subject, attribute, value: `value ${number}` });
  }
}

/**
 * Compares a user who has many facts with one who has none: same memories, same calls, in turns.
 * @param {Memhall} memhall
 * @param {number} calls
 */
export async function compareCalls(memhall, calls) {
  const users = usersOf(memhall);
  /** @type {Record<string, (memory: UserMemory, number: number) => Promise<unknown>>} */
  const operations = {
    'remember a statement': (memory, number) =>
      memory.remember(`I live in ${cities[number % cities.length]}, on floor ${number}.`),
    'remember a text without one': (memory, number) => memory.remember(`Watered row ${number} of the garden.`),
    'put a fact': (memory, number) => memory.facts.put({ subject: 'me', attribute: 'status', value: `step ${number}` }),
    'recall what is current': (memory) => memory.recall('Where do I live?'),
    'recall something else': (memory, number) => memory.recall(`What about row ${number % 17} of the garden?`),
  };
  /** @type {Record<string, { none: number, many: number, ratio: number }>} */
  const results = {};
  for (const [name, operation] of Object.entries(operations)) {
    const times = { none: /** @type {number[]} */ ([]), many: /** @type {number[]} */ ([]) };
    for (let number = 0; number < calls; number++) {
      for (const [user, memory] of Object.entries(users)) {
        const began = performance.now();
        await operation(memory, number);
        times[/** @type {'none' | 'many'} */ (user)].push(performance.now() - began);
      }
    }
    const [none, many] = [median(times.none), median(times.many)];
    results[name] = { none: round(none, 2), many: round(many, 2), ratio: round(many / none, 2) };
  }
  return results;
}
