export type {
  ContextRequest,
  DocumentPatch,
  DocumentReplacement,
  Documents,
  DocumentsClientOptions,
  DocumentWriteOptions,
  EventSearch,
  Events,
  FoundEvents,
  NewEvent,
} from './documents-client.js';
export { DocumentsClient } from './documents-client.js';
export type {
  AuditRecords,
  Context,
  DocumentAnswer,
  DocumentHistory,
  DocumentList,
  WriteAnswer,
} from './generated/operations.js';
export { MemhallError } from './memhall-error.js';
export { PatchConflictError, patchWithRebase, type RebaseInput } from './patch-with-rebase.js';
export type { CallOptions, ClientOptions } from './transport.js';
