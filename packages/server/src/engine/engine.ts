import type { AuditKey } from '../ports/audit-key.js';
import type { Clock } from '../ports/clock.js';
import type { Embedder } from '../ports/embedder.js';
import type { EventIndex } from '../ports/event-index.js';
import type { Extractor } from '../ports/extractor.js';
import type { FileReader } from '../ports/file-reader.js';
import type { Partition } from '../ports/memories.js';
import type { Queue } from '../ports/queue.js';
import type { ResourceFiles } from '../ports/resource-files.js';
import type { StatementReader } from '../ports/statement-reader.js';
import type { Store } from '../ports/store.js';
import type { Telemetry } from '../ports/telemetry.js';
import type { Threads } from '../ports/threads.js';
import type { WebhookSender } from '../ports/webhook-sender.js';
import type { ChangeSignal } from './changes/change-signal.js';
import type { Followers } from './changes/follow-changes.js';
import type { EpisodeRef } from './conversations/extract-episode.js';
import type { ReplayRef } from './conversations/replay-conversation.js';
import type { TenantCipher } from './conversations/tenant-cipher.js';
import type { PieceWatcher } from './document-pieces/piece-change.js';
import type { DocumentRegistry } from './documents/document-registry.js';
import type { DocumentWatcher } from './documents/document-watcher.js';
import type { Lexicons } from './facts/lexicons.js';
import type { Blocked } from './guard-models.js';
import type { SegmentCache } from './memories/index/segment-cache.js';
import type { MemoryWatcher } from './memories/memory-watcher.js';
import type { Reranking } from './memories/recall/rerank.js';
import type { RecallWeights } from './memories/recall/weights.js';
import type { TenantSettings } from './memories/tenant-settings.js';
import type { OutsideMemories } from './one-memory/outside-memories.js';
import type { ScreenedTiers } from './tiers/screened-tiers.js';
import type { RevokedTokens } from './tokens/revoked-tokens.js';
import type { TimeZones } from './users/time-zones.js';

/** The dependencies of every use case. Use cases are plain functions: `(engine, caller, input)`. */
export interface Engine {
  store: Store;
  clock: Clock;
  /** If null, recall matches words only. */
  embedder: Embedder | null;
  /** What recall can be compared with, on request; none of its vectors is stored. */
  comparedEmbedder: Embedder | null;
  /** If null, or while it does not respond, events are found by recall alone. */
  eventIndex: EventIndex | null;
  /** If null, there are no memories but those of the store. */
  outsideMemories: OutsideMemories | null;
  segments: SegmentCache;
  tenants: TenantSettings;
  timeZones: TimeZones;
  /** Those who follow changes, and what wakes them. */
  following: { followers: Followers; changeSignal: ChangeSignal };
  recallWeights: RecallWeights;
  /** If null, the order of recall is that of its weights. */
  reranking: Reranking | null;
  registry: DocumentRegistry;
  /** What derives data from documents; told of every change, in its transaction. */
  documentWatchers: readonly DocumentWatcher[];
  /** What derives more than memories from the pieces of documents; told of every change, in its transaction. */
  pieceWatchers: readonly PieceWatcher[];
  /** What derives data from memories; told of those that are removed, in the transaction. */
  memoryWatchers: readonly MemoryWatcher[];
  cipher: TenantCipher;
  /** Signs the audit log, and what is removed from it. */
  auditKey: AuditKey;
  screenedTiers: ScreenedTiers;
  /** Reads what texts state about the attributes of a tenant. If null, no facts are learned from texts. */
  statements: { reader: StatementReader; lexicons: Lexicons } | null;
  /** If null, conversations are stored but nothing is extracted from them. */
  extractor: Extractor | null;
  fileReader: FileReader;
  resourceFiles: ResourceFiles;
  telemetry: Telemetry;
  threads: Threads;
  webhookSender: WebhookSender;
  revokedTokens: RevokedTokens;
  /** Tokens that are valid for longer are rejected. If undefined, they may be valid for any time. */
  tokenMaxLifetimeMs: number | undefined;
  /** Background jobs. */
  queue: Queue;
  /** Called when a memory of this tenant was stored without its vector. */
  onUnembedded(tenantId: string): void;
  /** Called when documents of a user must be compared with facts that changed. */
  onDocumentsDue(tenantId: string, userId: string): void;
  /** Called when webhooks may have to be looked after that there were not before. */
  onWebhook(): void;
  /** Called when a conversation is ready to be replayed. */
  onReplayQueued(replay: ReplayRef): void;
  /** Called when a closed episode waits for a slow extractor. */
  onEpisodeWaiting(episode: EpisodeRef): void;
  /** Called when something was withheld because a model must not read it. */
  onBlocked(blocked: Blocked): void;
  /** Called when a partition needs its own index, or its index lacks many memories. */
  onLargePartition(tenantId: string, partition: Partition): void;
  /** Called with errors that cannot be returned to a caller. `doing` says what failed. */
  onFault(error: unknown, doing: string): void;
}
