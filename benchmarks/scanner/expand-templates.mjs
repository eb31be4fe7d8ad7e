import { readFileSync } from 'node:fs';

/**
 * Returns a function with random numbers from 0 to 1 that are the same in every run (mulberry32).
 * @param {number} seed
 */
export function toRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x100000000;
  };
}

/**
 * Writes `count` sentences from every template of a file in this folder.
 * @param {string} file
 * @param {number} count
 * @param {() => number} random
 */
export function expandTemplates(file, count, random) {
  const [head = '', body = ''] = readFileSync(new URL(file, import.meta.url), 'utf8').split('\n--\n');
  const slots = new Map(
    head
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.indexOf(' = ')), line.slice(line.indexOf(' = ') + 3).split('|')]),
  );
  const pick = (/** @type {string[]} */ list) => list[Math.floor(random() * list.length)] ?? '';
  const expand = (/** @type {string} */ template) => {
    let text = template;
    for (let depth = 0; depth < 6 && /[(<]/.test(text); depth++) {
      text = text
        .replace(/\(([^()]*)\)(\??)/g, (_, list, optional) => (optional && random() < 0.5 ? '' : pick(list.split('|'))))
        .replace(/<([a-z]+)>/g, (whole, name) => pick(slots.get(name) ?? [whole]));
    }
    return vary(
      text
        .replace(/\s+/g, ' ')
        .replace(/ ([,.;:])/g, '$1')
        .trim(),
      random,
    );
  };
  return body
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((template) => Array.from({ length: count }, () => expand(template)));
}

/**
 * @param {string} text
 * @param {() => number} random
 */
function vary(text, random) {
  const start = random() < 0.6 ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  const shout = random() < 0.06 ? start.toUpperCase() : start;
  return random() < 0.5 && /\w$/.test(shout) ? `${shout}.` : shout;
}
