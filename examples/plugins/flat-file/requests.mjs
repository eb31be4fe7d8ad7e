import { Refusal } from './refusal.mjs';

const deepest = 64;
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;

/** @typedef {Record<string, unknown>} Body */

/** @param {unknown} condition @param {string} message @returns {asserts condition} */
export function demand(condition, message) {
  if (!condition) throw new Refusal(400, 'bad_request', message);
}

/** @param {unknown} value @returns {value is Body} */
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** @param {Buffer} bytes @returns {Body} */
export function parseBody(bytes) {
  /** @type {unknown} */
  let body;
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    demand(false, 'The body is not JSON.');
  }
  demand(isObject(body), 'The body must be a JSON object.');
  // What is nested deeper could not be written down again.
  for (let level = [...Object.values(body)], depth = 0; level.length > 0; depth++) {
    demand(depth < deepest, 'The body is nested too deep.');
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
  return body;
}

/** @param {unknown} name @returns {string} */
export function asName(name) {
  const fits = typeof name === 'string' && name.length <= 256 && /^[a-z]+:[A-Za-z0-9_:.-]+$/.test(name);
  demand(fits, 'A namespace is named like kind:name, with 256 characters at most.');
  return name;
}

/** @param {unknown} id */
export function asId(id) {
  const fits = typeof id === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id);
  demand(fits, 'The id must be a UUID.');
  return id.toLowerCase();
}

/** @template {string} T @param {string} field @param {unknown} value @param {readonly T[]} choices @returns {T} */
export function asOneOf(field, value, choices) {
  const choice = choices.find((one) => one === value);
  demand(choice !== undefined, `${field} must be one of ${choices.join(', ')}.`);
  return choice;
}

/** @param {unknown} value */
export function asMoment(value) {
  const fits = typeof value === 'string' && moment.test(value) && !Number.isNaN(Date.parse(value));
  demand(fits, 'expires_at must be an RFC 3339 timestamp.');
  return new Date(value).toISOString();
}

/** @param {string} field @param {unknown} value */
export function asMembers(field, value) {
  demand(isObject(value), `${field} must be an object.`);
  return value;
}

/** @param {unknown} value @returns {number[]} */
export function asVector(value) {
  const fits = Array.isArray(value) && value.length > 0 && value.every((number) => Number.isFinite(number));
  demand(fits, 'The embedding must be a list of numbers.');
  return value;
}

/**
 * The fields of a body that are there, read; null counts as left out.
 * @template T @param {Body} body @param {string} field @param {(value: unknown) => T} read @returns {Record<string, T>}
 */
export function optional(body, field, read) {
  const value = body[field] ?? undefined;
  return value === undefined ? {} : { [field]: read(value) };
}
