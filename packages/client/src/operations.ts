export type * from './generated/operations.js';
export { MemhallError } from './memhall-error.js';
export { OperationsClient } from './operations-client.js';
export type { CallInput, CallOptions, CallResult, ClientOptions, OperationId } from './transport.js';
