import { readFileSync } from 'node:fs';

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

export const halves = /** @type {const} */ (['tuning', 'unseen']);

/** @typedef {(typeof halves)[number]} Half */

/** @param {Half} half @returns {History[]} */
export function readHistories(half) {
  return readLines(`histories.${half}.jsonl`);
}

/** @param {Half} half @returns {Pair[]} */
export function readPairs(half) {
  return readLines(`pairs.${half}.jsonl`);
}

/** @param {string} name */
function readLines(name) {
  const text = readFileSync(new URL(name, import.meta.url), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}
