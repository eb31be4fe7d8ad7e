import { Problem } from '@memhall/core';

/** SQLSTATEs after which the same transaction, run again, may succeed. */
const retryable = new Set(['40001', '40P01']);

/** SQLSTATE classes and codes that mean "try later": connection, resources, operator intervention. */
const unavailable = /^(08|53|57P0|57014|55P03|25P03)/;

/** Text that the database cannot store: untranslatable or invalid characters, rejected JSON. */
const unstorable = new Set(['22021', '22P05', '22P02', '22030', '22032']);

/** Raised by memhall.append_audit. */
const erasedMeanwhile = 'MH001';

const networkFailures = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
]);

export function errorCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}

export function isRetryable(error: unknown): boolean {
  return retryable.has(errorCode(error));
}

export function isErasedMeanwhile(error: unknown): boolean {
  return errorCode(error) === erasedMeanwhile;
}

/** Whether the connection can no longer be used after this error. */
export function isConnectionFailure(error: unknown): boolean {
  const code = errorCode(error);
  return !/^[0-9A-Z]{5}$/.test(code) || /^(08|57P0)/.test(code);
}

export function unreachable(cause: unknown): Problem {
  const message = 'The store is not available right now. Try again shortly.';
  return new Problem('UNAVAILABLE', message, { retryAfterSeconds: 1, cause });
}

/** Turns a driver error into a Problem if a client can act on it; returns other errors unchanged. */
export function toProblem(error: unknown): unknown {
  if (error instanceof Problem) return error;
  const code = errorCode(error);
  if (retryable.has(code) || unavailable.test(code) || networkFailures.has(code) || isDriverFailure(error)) {
    return unreachable(error);
  }
  if (isErasedMeanwhile(error)) {
    const message =
      'The user or tenant was erased while the request was in progress, so nothing was stored. Send the request again if it is still wanted.';
    return new Problem('CONFLICT', message, { cause: error });
  }
  if (code === '23505')
    return new Problem('CONFLICT', 'An entry with this id or key already exists.', { cause: error });
  if (unstorable.has(code)) {
    return new Problem('INVALID_REQUEST', 'The request contains text that cannot be stored.', { cause: error });
  }
  return error;
}

/** node-postgres reports lost connections and a full pool without a code, with these fixed texts. */
function isDriverFailure(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end)/.test(
      error.message,
    )
  );
}
