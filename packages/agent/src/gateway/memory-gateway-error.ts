export type GatewayOperation = 'search' | 'add' | 'flush';

/**
 * - `timeout`: no whole answer in time
 * - `connection`: the gateway was not reached, or hung up
 * - `unauthorized`: user id and key are not accepted (401)
 * - `http`: any other status outside 2xx
 * - `malformed`: an answer that is not JSON, too large, or not of the shape agreed on
 */
export type GatewayFailureCategory = 'timeout' | 'connection' | 'unauthorized' | 'http' | 'malformed';

/** What may be told about a failure: to a log, an audit event, anybody. */
export interface GatewayFailure {
  operation: GatewayOperation;
  category: GatewayFailureCategory;
  /** Of the HTTP answer, if there was one. */
  status?: number;
}

const explanations: Record<GatewayFailureCategory, string> = {
  timeout: 'took too long',
  connection: 'could not be reached',
  unauthorized: 'does not accept the user id and key',
  http: 'refused the call',
  malformed: 'gave an answer that makes no sense',
};

/**
 * Made of fixed words, the path and the status. It has no cause and keeps nothing of request or answer, since either may
 * hold the key or what the user said.
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
