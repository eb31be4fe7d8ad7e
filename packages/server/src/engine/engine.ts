import type { Clock } from '../ports/clock.js';
import type { Embedder } from '../ports/embedder.js';
import type { Extractor } from '../ports/extractor.js';
import type { FileReader } from '../ports/file-reader.js';
import type { Partition } from '../ports/memories.js';
import type { Queue } from '../ports/queue.js';
import type { ResourceFiles } from '../ports/resource-files.js';
import type { Store } from '../ports/store.js';
import type { Telemetry } from '../ports/telemetry.js';
import type { EpisodeRef } from './conversations/extract-episode.js';
import type { ReplayRef } from './conversations/replay-conversation.js';
import type { TenantCipher } from './conversations/tenant-cipher.js';
import type { DocumentRegistry } from './documents/document-registry.js';
import type { Blocked } from './guard-models.js';
import type { SegmentCache } from './memories/index/segment-cache.js';
import type { RecallWeights } from './memories/recall/weights.js';
import type { TenantLanguages } from './memories/tenant-languages.js';
import type { ScreenedTiers } from './tiers/screened-tiers.js';

/** What every use case works with. Use cases are plain functions: `(engine, caller, input)`. */
export interface Engine {
  store: Store;
  clock: Clock;
  /** null: recall by words only. */
  embedder: Embedder | null;
  segments: SegmentCache;
  languages: TenantLanguages;
  recallWeights: RecallWeights;
  registry: DocumentRegistry;
  cipher: TenantCipher;
  screenedTiers: ScreenedTiers;
  /** null: conversations are kept, and nothing is concluded from them. */
  extractor: Extractor | null;
  files: FileReader;
  resourceFiles: ResourceFiles;
  telemetry: Telemetry;
  /** Work for later. */
  queue: Queue;
  /** Something of this tenant was stored that waits for its vector. */
  onUnembedded(tenantId: string): void;
  /** A conversation waits to be replayed. */
  onReplayQueued(replay: ReplayRef): void;
  /** A closed episode waits for an extractor that takes its time. */
  onEpisodeWaiting(episode: EpisodeRef): void;
  /** Something was found and left out, since a model must not read it. */
  onBlocked(blocked: Blocked): void;
  /** A partition needs an index of its own, or has much that is not in it yet. */
  onLargePartition(tenantId: string, partition: Partition): void;
  /** Something went wrong that no caller can be told of. */
  onFault(error: unknown, doing: string): void;
}
