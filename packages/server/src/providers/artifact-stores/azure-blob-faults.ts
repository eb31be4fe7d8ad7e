import { Problem } from '@memhall/core';

/** A failure described by status and code only, never by message, which may quote names and signatures. */
interface ServiceFault {
  statusCode: number | undefined;
  code: string;
}

const temporaryCodes = new Set([
  'ContainerNotFound',
  'ContainerBeingDeleted',
  'ContainerDisabled',
  'AccountIsDisabled',
  'ServerBusy',
  'OperationTimedOut',
]);

function faultOf(error: unknown): ServiceFault | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.name === 'AbortError') return { statusCode: undefined, code: 'REQUEST_TIMED_OUT' };
  if (error.name !== 'RestError') return undefined;
  const { statusCode, code, details } = error as Error & {
    statusCode?: number;
    code?: string;
    details?: { errorCode?: string };
  };
  return { statusCode, code: code ?? details?.errorCode ?? '' };
}

export function isUnchanged(error: unknown): boolean {
  return faultOf(error)?.statusCode === 304;
}

/** True only for a missing blob: a missing container must never look like one that lost all its blobs. */
export function isMissing(error: unknown): boolean {
  return faultOf(error)?.code === 'BlobNotFound';
}

export function isContainerMissing(error: unknown): boolean {
  return faultOf(error)?.code === 'ContainerNotFound';
}

export function isConditionFailure(error: unknown): boolean {
  const fault = faultOf(error);
  return fault?.statusCode === 412 || fault?.code === 'BlobAlreadyExists';
}

/** True if the service denies access: keys, signatures, permissions. */
export function isRefusal(error: unknown): boolean {
  const statusCode = faultOf(error)?.statusCode;
  return statusCode === 401 || statusCode === 403;
}

/** Converts errors of the SDK: UNAVAILABLE if a later attempt may succeed; other errors keep only status and code. */
export function toStoreError(error: unknown): unknown {
  const fault = faultOf(error);
  if (fault === undefined) return error;
  const { statusCode, code } = fault;
  const cause = new Error(`Azure Blob Storage: ${statusCode ?? 'no response'} ${code}`);
  if (
    statusCode === undefined ||
    statusCode >= 500 ||
    statusCode === 408 ||
    statusCode === 429 ||
    temporaryCodes.has(code)
  ) {
    const message = 'The artifact store is not available right now. Try again shortly.';
    return new Problem('UNAVAILABLE', message, { retryAfterSeconds: 1, cause });
  }
  return cause;
}
