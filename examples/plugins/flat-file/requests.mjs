/** @typedef {Record<string, unknown>} Body */

/** An answer that is an error of the contract. */
export class Refusal extends Error {
  /** @param {number} status @param {string} code @param {string} message */
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** @param {unknown} condition @param {string} message @returns {asserts condition} */
export function demand(condition, message) {
  if (!condition) throw new Refusal(400, 'bad_request', message);
}

/** @param {Buffer} bytes @returns {Body} */
export function parseBody(bytes) {
  let body;
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    demand(false, 'The body is not JSON.');
  }
  const object = asObject('The body', body);
  // What is nested deeper could not be written down again.
  for (let level = Object.values(object), depth = 0; level.length > 0; depth++) {
    demand(depth < 64, 'The body is nested too deep.');
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
  return object;
}

/** @param {string} what @param {unknown} value @returns {Body} */
export function asObject(what, value) {
  demand(typeof value === 'object' && value !== null && !Array.isArray(value), `${what} must be an object.`);
  return /** @type {Body} */ (value);
}

/** @param {unknown} name */
export function asName(name) {
  const fits = typeof name === 'string' && name.length <= 256 && /^[a-z]+:[A-Za-z0-9_:.-]+$/.test(name);
  demand(fits, 'A namespace is named like kind:name, with 256 characters at most.');
  return name;
}

/** @param {unknown} id */
export function asId(id) {
  demand(typeof id === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id), 'The id must be a UUID.');
  return id.toLowerCase();
}

/** @param {string} field @param {unknown} value @param {string[]} choices */
export function asOneOf(field, value, choices) {
  demand(typeof value === 'string' && choices.includes(value), `${field} must be one of ${choices.join(', ')}.`);
  return value;
}

/** @param {unknown} value */
export function asMoment(value) {
  const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;
  const fits = typeof value === 'string' && form.test(value) && !Number.isNaN(Date.parse(value));
  demand(fits, 'expires_at must be an RFC 3339 timestamp.');
  return new Date(value).toISOString();
}

/** @param {unknown} value @returns {number[]} */
export function asVector(value) {
  const fits = Array.isArray(value) && value.length > 0 && value.every(Number.isFinite);
  demand(fits, 'The embedding must be a list of numbers.');
  return value;
}

/** A field that may be left out. @template T @param {unknown} value @param {(value: unknown) => T} read @returns {T | undefined} */
export function ifGiven(value, read) {
  return value === undefined || value === null ? undefined : read(value);
}
