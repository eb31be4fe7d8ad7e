import { existsSync, readFileSync } from 'node:fs';

/**
 * @typedef {object} Question
 * @property {string[]} subject names that are all right
 * @property {string[]} attribute
 * @property {string} [as_of] default: one day after the last utterance
 * @property {string[][]} values each with its accepted spellings; empty if nothing may be current
 *
 * @typedef {object} Period
 * @property {string[]} subject
 * @property {string[]} attribute
 * @property {string[]} value
 * @property {string} [from] a year, month or day
 * @property {string} [to]
 *
 * @typedef {object} Forbidden
 * @property {string[]} subject
 * @property {string[]} attribute
 * @property {string[]} value
 *
 * @typedef {object} Utterance
 * @property {string} at
 * @property {string} role
 * @property {'external'} [trust]
 * @property {string} text
 *
 * @typedef {object} History
 * @property {string} id
 * @property {string} class
 * @property {string} language
 * @property {Utterance[]} utterances
 * @property {Question[]} [expect]
 * @property {Period[]} [history]
 * @property {Forbidden[]} [never]
 *
 * @typedef {object} Pair
 * @property {string} id
 * @property {string} class
 * @property {string} first
 * @property {string} second
 */

/** Sets of histories and pairs. Rules may be written with those of the first kind in sight, never with those of the second. */
export const tuningSets = [
  'tuning',
  'more-tuning',
  'fresh',
  'first-sight',
  'second-sight',
  'third-sight',
  'fourth-sight',
];
export const unseenSets = ['unseen', 'later-unseen'];
export const sets = [...tuningSets, ...unseenSets];

/** @param {string} set @returns {History[]} */
export function readHistories(set) {
  return readLines(`histories.${set}.jsonl`);
}

/** @param {string} set @returns {Pair[]} */
export function readPairs(set) {
  return readLines(`pairs.${set}.jsonl`);
}

/** Not every set has both. @param {string} name */
function readLines(name) {
  const file = new URL(name, import.meta.url);
  if (!existsSync(file)) return [];
  const text = readFileSync(file, 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}
