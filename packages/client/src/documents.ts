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
  Conversations,
  NewSnapshot,
  Replays,
  ReplayWaitOptions,
  SnapshotList,
} from './documents-conversations.js';
export type {
  NewSchema,
  ProfileSource,
  Profiles,
  ProfileWriteOptions,
  RegisteredProfile,
  SchemaSummary,
  Schemas,
} from './documents-registry.js';
export type { ReviewQueue, UnresolvedPatches } from './documents-unresolved.js';
export type {
  AuditRecords,
  CheckedReceipt,
  Context,
  DocumentAnswer,
  DocumentHistory,
  DocumentList,
  ErasureAnswer,
  Profile,
  Receipt,
  Replay,
  Schema,
  SchemaList,
  Snapshot,
  SnapshotSummary,
  SnapshotTaken,
  UnresolvedPatch,
  WriteAnswer,
} from './generated/operations.js';
export { MemhallError } from './memhall-error.js';
export { PatchConflictError, patchWithRebase, type RebaseInput } from './patch-with-rebase.js';
export type { CallOptions, ClientOptions } from './transport.js';
