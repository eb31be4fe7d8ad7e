export type { EachOptions, PageOptions, UserOptions, WriteOptions } from './client-area.js';
export type {
  AttributeDefinition,
  FactChangeOptions,
  FactFilter,
  FactTimes,
  FactWithEvidence,
  NewFact,
} from './facts-client.js';
export type {
  AnyMemory,
  Attribute,
  Fact,
  FactPage,
  MemoryPage,
  RecallReason,
  RecallResult,
  RecallResults,
  RecordState,
  RecordStates,
  RevertCounts,
  SourceRevertList,
  SubjectList,
  SubjectPage,
  SubjectSummary,
  UserSettings,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryPage,
  WebhookDeliveryWithChanges,
  WebhookTest,
} from './generated/operations.js';
export { MemhallError } from './memhall-error.js';
export type { OffTheRecordOptions } from './off-the-record-client.js';
export type {
  ExportFormat,
  ForgetOptions,
  MemoryChange,
  MemoryFilter,
  MemoryWithHistory,
  NewMemory,
  RecallQuery,
  RememberOptions,
} from './one-memory-client.js';
export { OneMemoryClient } from './one-memory-client.js';
export type { Reverted, RevertOptions, SourceFilter } from './sources-client.js';
export type { CallOptions, ClientOptions } from './transport.js';
export type { ReceivedWebhook, SentChange, SentChanges } from './verify-webhook.js';
export { verifyWebhook } from './verify-webhook.js';
export type { DeliveryFilter, WebhookDefinition } from './webhooks-client.js';
