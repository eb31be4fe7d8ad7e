/** Ends a request with an error of the contract. @type {(status: number, code: string, message: string) => never} */
export const refuse = (status, code, message) => {
  throw Object.assign(new Error(message), { answer: { status, body: { code, message } } });
};

/** @param {unknown} condition @param {string} message @returns {asserts condition} */
export function demand(condition, message) {
  if (!condition) refuse(400, 'bad_request', message);
}

/** @param {Buffer} bytes */
export function parseBody(bytes) {
  let body;
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    demand(false, 'The body is not JSON.');
  }
  const fields = to.object(body);
  // Deeper nesting could not be serialized again.
  for (let level = Object.values(fields), depth = 0; level.length > 0; depth++) {
    demand(depth < 64, 'The body is nested too deep.');
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
  return fields;
}

/** Reads an optional field. @template T @param {unknown} value @param {(value: unknown) => T} read */
export function ifGiven(value, read) {
  return value === undefined || value === null ? undefined : read(value);
}

/** Each returns a valid value and rejects others. @satisfies {Record<string, (value: any, choices: any) => unknown>} */
export const to = {
  /** @returns {Record<string, unknown>} */
  object(value) {
    demand(typeof value === 'object' && value !== null && !Array.isArray(value), 'Expected a JSON object.');
    return value;
  },
  name(value) {
    const fits = typeof value === 'string' && value.length <= 256 && /^[a-z]+:[A-Za-z0-9_:.-]+$/.test(value);
    demand(fits, 'A namespace name must look like kind:name and have at most 256 characters.');
    return String(value);
  },
  id(value) {
    const form = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
    demand(typeof value === 'string' && form.test(value), 'The id must be a UUID.');
    return value.toLowerCase();
  },
  oneOf(value, /** @type {string[]} */ choices) {
    demand(choices.includes(value), `The value must be one of ${choices.join(', ')}.`);
    return String(value);
  },
  moment(value) {
    const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;
    const fits = typeof value === 'string' && form.test(value) && !Number.isNaN(Date.parse(value));
    demand(fits, 'expires_at must be an RFC 3339 timestamp.');
    return new Date(value).toISOString();
  },
  /** @returns {number[]} */
  vector(value) {
    demand(Array.isArray(value) && value.length > 0 && value.every(Number.isFinite), 'embedding must hold numbers.');
    return value;
  },
};
