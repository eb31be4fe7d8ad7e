export type { EachOptions, PageOptions, UserOptions, WriteOptions } from './client-area.js';
export type { AnyMemory, MemoryPage, RecallResult, RecallResults } from './generated/operations.js';
export { MemhallError } from './memhall-error.js';
export type {
  ForgetOptions,
  MemoryChange,
  MemoryFilter,
  MemoryWithHistory,
  NewMemory,
  RecallQuery,
  RememberOptions,
} from './one-memory-client.js';
export { OneMemoryClient } from './one-memory-client.js';
export type { CallOptions, ClientOptions } from './transport.js';
