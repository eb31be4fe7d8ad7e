import { builtInAttributes } from '../../packages/server/dist/engine/facts/built-in-attributes.js';
import { attributeKey } from '../../packages/server/dist/engine/facts/fact-keys.js';

/** @typedef {import('../../packages/server/dist/index.js').Fact} Fact */

const dayMs = 86_400_000;
/** How far a date may lie outside the year, month or day that is expected. */
const slackMs = { 4: 31 * dayMs, 7: 10 * dayMs, 10: 2 * dayMs };

const names = new Map(
  builtInAttributes.flatMap(({ name, synonyms, single }) =>
    [name, ...synonyms].map((one) => [attributeKey(one), { key: attributeKey(name), single }]),
  ),
);

/** @param {string} name */
function toAttribute(name) {
  const key = attributeKey(name);
  return names.get(key) ?? { key, single: false };
}

/** @param {string[]} attributes names that are all right */
export function isSingle(attributes) {
  return attributes.some((name) => toAttribute(name).single);
}

/** @param {Fact} fact @param {{ subject: string[], attribute: string[] }} about */
export function isAbout(fact, { subject, attribute }) {
  return (
    subject.some((one) => toPlain(one) === toPlain(fact.subject)) &&
    attribute.some((one) => toAttribute(one).key === toAttribute(fact.attribute).key)
  );
}

/** @param {string} value @param {string[]} spellings */
export function isValue(value, spellings) {
  return spellings.some((one) => toPlain(one) === toPlain(value));
}

/** @param {string} value @param {string[]} spellings */
export function containsValue(value, spellings) {
  return spellings.some((one) => ` ${toPlain(value)} `.includes(` ${toPlain(one)} `));
}

/** @param {Date | null} at @param {string | undefined} expected a year, month or day; undefined if any is right */
export function isRoughly(at, expected) {
  if (expected === undefined) return true;
  if (at === null) return false;
  const start = new Date(`${expected}-01-01`.slice(0, 10));
  const end = new Date(start);
  if (expected.length === 4) end.setUTCFullYear(end.getUTCFullYear() + 1);
  else if (expected.length === 7) end.setUTCMonth(end.getUTCMonth() + 1);
  else end.setUTCDate(end.getUTCDate() + 1);
  const slack = slackMs[/** @type {4 | 7 | 10} */ (expected.length)];
  return at.getTime() >= start.getTime() - slack && at.getTime() <= end.getTime() + slack;
}

/** Without case, accents, punctuation and a leading article. @param {string} text */
function toPlain(text) {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/[^\p{L}\p{N}@.+-]+/gu, ' ')
    .replaceAll(/[.\s]+$/g, '')
    .trim()
    .replace(/^(the|an?|my|our|der|die|das|le|la|les|el|los|las) /, '');
}
