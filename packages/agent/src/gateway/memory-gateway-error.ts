export type GatewayOperation = 'search' | 'add' | 'flush';

/**
 * - `timeout`: no complete response in time
 * - `connection`: the gateway was unreachable or closed the connection
 * - `unauthorized`: the user id and key were rejected (401)
 * - `http`: any other status outside 2xx
 * - `malformed`: the response is not JSON, too large, or does not have the expected shape
 */
export type GatewayFailureCategory = 'timeout' | 'connection' | 'unauthorized' | 'http' | 'malformed';

/** The safe description of a failure. It may be logged, audited and shown to anyone. */
export interface GatewayFailure {
  operation: GatewayOperation;
  category: GatewayFailureCategory;
  /** Status of the HTTP response, if there was one. */
  status?: number;
}

const explanations: Record<GatewayFailureCategory, string> = {
  timeout: 'timed out',
  connection: 'could not be reached',
  unauthorized: 'rejected the user id and key',
  http: 'rejected the request',
  malformed: 'sent a malformed response',
};

/**
 * Consists of fixed words, the path and the status. Has no cause and keeps nothing of the request or the response,
 * because both may contain the key or what the user said.
 */
export class MemoryGatewayError extends Error {
  override readonly name = 'MemoryGatewayError';
  readonly operation: GatewayOperation;
  readonly category: GatewayFailureCategory;
  readonly status: number | undefined;
  readonly path: string;

  constructor({ operation, category, status }: GatewayFailure) {
    const path = `/memories/${operation}`;
    super(`The memory gateway ${explanations[category]}: POST ${path}${status === undefined ? '' : ` (${status})`}.`);
    this.operation = operation;
    this.category = category;
    this.status = status;
    this.path = path;
  }

  get failure(): GatewayFailure {
    const { operation, category, status } = this;
    return { operation, category, ...(status === undefined ? {} : { status }) };
  }
}
