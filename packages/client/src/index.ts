export type { Operations, WorkingCleared, WorkingEntry, WorkingList } from './generated/operations.js';
export { MemhallError } from './memhall-error.js';
export {
  MemoryClient,
  type PlanState,
  type SetPlanStateOptions,
  type UserOptions,
  type WriteOptions,
} from './memory-client.js';
export type { CallOptions, ClientOptions } from './transport.js';
