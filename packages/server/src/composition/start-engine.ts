import type { Tracer } from '@opentelemetry/api';
import type { Logger } from 'pino';
import type { Config } from '../config/settings.js';
import { ChangeSignal } from '../engine/changes/change-signal.js';
import { Followers } from '../engine/changes/follow-changes.js';
import { TenantCipher } from '../engine/conversations/tenant-cipher.js';
import { documentFactWatcher } from '../engine/document-facts/document-fact-watcher.js';
import { pieceWatcher } from '../engine/document-pieces/piece-watcher.js';
import { DocumentRegistry } from '../engine/documents/document-registry.js';
import { type Starter, toCheckedStarter, toStarter } from '../engine/documents/starter.js';
import type { Engine } from '../engine/engine.js';
import { factWatcher } from '../engine/facts/fact-watcher.js';
import { Lexicons } from '../engine/facts/lexicons.js';
import type { Reranking } from '../engine/memories/recall/rerank.js';
import { defaultWeights } from '../engine/memories/recall/weights.js';
import { TenantSettings } from '../engine/memories/tenant-settings.js';
import { fileProfile, fileSchema } from '../engine/memory-files/memory-file-profile.js';
import { databaseFiles } from '../engine/resources/database-files.js';
import type { StateAges } from '../engine/state/clean-up-state.js';
import { ScreenedTiers } from '../engine/tiers/screened-tiers.js';
import { tierProfile, tierSchema } from '../engine/tiers/tier-profile.js';
import { RevokedTokens } from '../engine/tokens/revoked-tokens.js';
import { TimeZones } from '../engine/users/time-zones.js';
import { logFaults } from '../http/logging.js';
import type { JobContext } from '../jobs/job.js';
import { JobRunner } from '../jobs/job-runner.js';
import { jobNames, jobs, retryPolicies } from '../jobs/jobs.js';
import { Nudges } from '../jobs/nudges.js';
import { CopyLoop } from '../outer/copy-loop.js';
import { IndexedStore } from '../outer/indexed-store.js';
import { type EngineParts, OuterStore } from '../outer/outer-store.js';
import type { ReplicaStore } from '../outer/replica-store.js';
import type { AuditKey } from '../ports/audit-key.js';
import { systemClock } from '../ports/clock.js';
import type { Embedder } from '../ports/embedder.js';
import { type EventIndex, EventIndexError } from '../ports/event-index.js';
import type { Extractor } from '../ports/extractor.js';
import { maxFileCharacters } from '../ports/file-reader.js';
import type { HeadWitness } from '../ports/head-witness.js';
import type { JobLedger } from '../ports/job-ledger.js';
import type { KeyWrapper } from '../ports/key-wrapper.js';
import { type LoopMarks, noMarks } from '../ports/loop-marks.js';
import type { Partition } from '../ports/memories.js';
import type { Store } from '../ports/store.js';
import { noTelemetry, type Telemetry } from '../ports/telemetry.js';
import type { TemporaryDirectory } from '../ports/temporary-directory.js';
import type { Threads } from '../ports/threads.js';
import { openExtractor } from '../providers/extractors/open-extractor.js';
import { withThreads } from '../providers/extractors/rules/with-threads.js';
import { readInThreads } from '../providers/extractors/statements/read-in-threads.js';
import { ProcessFileReader } from '../providers/files/process-file-reader.js';
import { readStarter } from '../providers/read-starter.js';
import { keepTemporaryClean, makeTemporaryDirectory } from '../providers/temporary-directory.js';
import { WorkerThreads } from '../providers/threads/worker-threads.js';
import { HttpsWebhookSender } from '../providers/webhooks/https-webhook-sender.js';
import type { Database } from '../store/database.js';
import { PgBossLedger } from '../store/pg-boss-ledger.js';
import { PgBossQueue } from '../store/pg-boss-queue.js';
import { openAuditKey } from './audit-key.js';
import { createHost, type HostedPlugin } from './create-host.js';
import { createSegmentCache } from './create-segment-cache.js';
import { checkMasterKey, openKeyWrapper } from './master-key.js';
import { checkArtifactOrigin, openArtifactStore } from './open-artifact-store.js';
import { type OnStep, openDatabase, openServingStore } from './open-database.js';
import { openComparedEmbedder, openEmbedder } from './open-embedder.js';
import { checkEventIndex, openEventIndex } from './open-event-index.js';
import { openReranking } from './open-reranking.js';
import { openWitness } from './open-witness.js';
import { tokenMaxLifetimeMs } from './token-verifier.js';

const idleCheckMs = 60_000;
/** Limits for extracting text from uploaded files. */
const fileLimits = { timeoutMs: 20_000, memoryMegabytes: 256, textLength: maxFileCharacters, concurrency: 2 };
/** Limits for reading large conversations. */
const threadLimits = { timeoutMs: 30_000, memoryMegabytes: 512, concurrency: 2 };
/** Limits for checking large documents. */
const schemaThreadLimits = { timeoutMs: 10_000, memoryMegabytes: 256, concurrency: 2 };

export interface RunningEngine {
  engine: Engine;
  /** The engine's store if artifacts are in an outer store; null if they are in the database. */
  outer: OuterStore | null;
  plugin: HostedPlugin;
  database: Database;
  /** The store that reads from a standby; null if there is none. */
  standby: ReplicaStore | null;
  jobContext: JobContext;
  ledger: JobLedger;
  makeTemporaryDirectory(): Promise<TemporaryDirectory>;
  /** Stops background work: takes no more jobs and waits for running ones. Part of `close`. */
  stopJobs(): Promise<void>;
  close(): Promise<void>;
}

interface EngineOptions {
  tracer?: Tracer | undefined;
  shareRunning?: boolean;
  telemetry?: Telemetry;
  /** Default: none. */
  marks?: LoopMarks;
  /** Whether to run jobs in this process. Default: `config.jobs`. If false, enqueued jobs wait for another process. */
  runJobs?: boolean;
  /** Told what a first start is doing. */
  onStep?: OnStep;
  /** Allows a database that is not yet derived from the outer store, because the caller is about to rebuild it. */
  rebuilds?: boolean;
}

/** Starts everything below the surfaces: store, embedder, engine and background work. */
export async function startEngine(config: Config, logger: Logger, options: EngineOptions = {}): Promise<RunningEngine> {
  const starter = await openStarter(config.starterDirectory);
  const databaseOpening = openDatabase(config, logger, options);
  const [opening, loading, reaching] = await Promise.allSettled([
    databaseOpening,
    openEmbedder(config, logger, databaseOpening),
    openArtifactStore(config),
  ]);
  if (opening.status === 'rejected' || loading.status === 'rejected' || reaching.status === 'rejected') {
    if (opening.status === 'fulfilled') await opening.value.close();
    if (loading.status === 'fulfilled') await loading.value?.close();
    const failed = [opening, loading, reaching].find((outcome) => outcome.status === 'rejected');
    throw (failed as PromiseRejectedResult).reason;
  }
  const [database, embedder, artifactStore] = [opening.value, loading.value, reaching.value];
  const onFault = logFaults(logger);
  const telemetry = options.telemetry ?? noTelemetry;
  const queue = new PgBossQueue(database.pool, retryPolicies(jobs));
  const nudges = new Nudges(queue, onFault);
  const { store: postgres, standby, close: closeStore } = openServingStore(config, database, logger);
  let wrapper: KeyWrapper;
  let eventIndex: EventIndex | null;
  let auditKey: AuditKey;
  let witness: HeadWitness | null;
  let comparedEmbedder: Embedder | null = null;
  let reranking: Reranking | null;
  try {
    eventIndex = await openReachableIndex(config, onFault);
    wrapper = await openKeyWrapper(config);
    await checkMasterKey(postgres, wrapper);
    auditKey = await openAuditKey(config);
    witness = await openWitness(config);
    await checkArtifactOrigin(config, postgres, artifactStore, options.rebuilds ?? false);
    comparedEmbedder = await openComparedEmbedder(config, logger, databaseOpening);
    reranking = await openReranking(config, onFault);
  } catch (error) {
    await embedder?.close();
    await comparedEmbedder?.close();
    await database.close();
    throw error;
  }
  const onLargePartition = (tenantId: string, partition: Partition) => nudges.noteLarge(tenantId, partition);
  const threads = new WorkerThreads(threadLimits);
  const fileReader = new ProcessFileReader(fileLimits);
  const revokedTokens = new RevokedTokens({ store: postgres, clock: systemClock, onFault });
  const extractor = await openExtractor(config, telemetry);
  const parts: EngineParts = {
    clock: systemClock,
    embedder,
    comparedEmbedder,
    eventIndex,
    outsideMemories: null,
    segments: createSegmentCache(config, database, postgres, embedder, { onLarge: onLargePartition, onFault }),
    tenants: new TenantSettings(postgres),
    timeZones: new TimeZones(postgres),
    following: {
      followers: new Followers(),
      changeSignal: new ChangeSignal(postgres, (error) => onFault(error, 'looking for changes')),
    },
    recallWeights: defaultWeights,
    reranking,
    registry: new DocumentRegistry(
      starter,
      toStarter({ profiles: [tierProfile, fileProfile], schemas: [tierSchema, fileSchema] }),
      new WorkerThreads(schemaThreadLimits),
    ),
    documentWatchers: [pieceWatcher],
    pieceWatchers: [documentFactWatcher],
    memoryWatchers: [factWatcher],
    cipher: new TenantCipher(wrapper),
    auditKey,
    screenedTiers: new ScreenedTiers(),
    statements: openStatements(extractor, postgres, threads),
    extractor: config.extractor === 'rules' && extractor ? withThreads(extractor, threads) : extractor,
    fileReader,
    telemetry,
    threads,
    webhookSender: new HttpsWebhookSender({ allowed: config.webhookNetworks }),
    revokedTokens,
    tokenMaxLifetimeMs: tokenMaxLifetimeMs(config),
    queue,
    onUnembedded: (tenantId) => nudges.noteUnembedded(tenantId),
    onDocumentsDue: (tenantId, userId) => nudges.noteDueDocuments(tenantId, userId),
    onWebhook: () => nudges.noteWebhook(),
    onReplayQueued: (replay) => nudges.noteReplay(replay),
    onEpisodeWaiting: (episode) => nudges.noteEpisode(episode),
    onBlocked: ({ tenantId, requestId, id, category, rule }) =>
      logger.warn({ tenant_id: tenantId, request_id: requestId, id, category, rule }, 'kept from a model'),
    onLargePartition,
    onFault,
  };
  const onUnindexed = (tenantId: string) => nudges.noteUnindexed(tenantId);
  const store =
    eventIndex === null ? postgres : new IndexedStore(postgres, eventIndex, { clock: systemClock, onUnindexed });
  const outer = artifactStore && new OuterStore(store, artifactStore, parts);
  const engine: Engine = { ...parts, store: outer ?? store, resourceFiles: outer?.files ?? databaseFiles };
  const plugin = createHost(config, engine);
  engine.outsideMemories = plugin.memories;
  const copyLeftAudit = async (limit: number) => outer?.copyLeftAudit(limit) ?? 0;
  const signing = { witness, everyMs: config.auditHeadSeconds * 1000 };
  const jobContext = { engine, queue, stateAges: stateAgesOf(config), copyLeftAudit, signing };
  const { marks = noMarks } = options;
  const deadBefore = database.alone ? new Date() : undefined;
  const runner = new JobRunner({ queue, jobs, context: jobContext, telemetry, marks, onFault, deadBefore });
  if (options.runJobs ?? config.jobs) {
    warnWithoutSessions(database, logger);
    runner.start();
  }
  const copies = outer && new CopyLoop(outer, onFault);
  const stopCleaning = await keepTemporaryClean(onFault);
  const idling = setInterval(() => engine.segments.dropIdle(), idleCheckMs).unref();
  const stopJobs = async () => {
    clearInterval(idling);
    stopCleaning();
    await runner.close();
    await nudges.close();
    await copies?.close();
  };
  const close = async () => {
    await stopJobs();
    fileReader.close();
    revokedTokens.close();
    plugin.outside?.client.close();
    await engine.segments.close();
    await embedder?.close();
    await comparedEmbedder?.close();
    await reranking?.reranker.close();
    await closeStore();
  };
  await moveWorkspaces(outer, options, close);
  const ledger = new PgBossLedger(database.pool, jobNames);
  return { engine, outer, plugin, database, standby, jobContext, ledger, makeTemporaryDirectory, stopJobs, close };
}

function warnWithoutSessions({ sessions }: Database, logger: Logger): void {
  if (sessions !== null) return;
  logger.warn('large partitions get no vector indexes without MEMHALL_DATABASE_DIRECT_URL: see docs/operate/scale.md');
}

/** Without an extractor nothing is learned from texts. */
function openStatements(extractor: Extractor | null, store: Store, threads: Threads): Engine['statements'] {
  if (extractor === null) return null;
  const reader = readInThreads(threads);
  return { reader, lexicons: new Lexicons(store, reader) };
}

/** Brings the outer store of an earlier version up to date. A database that is about to be rebuilt has to wait. */
async function moveWorkspaces(outer: OuterStore | null, { rebuilds }: EngineOptions, close: () => Promise<void>) {
  if (outer === null || rebuilds) return;
  await outer.moveWorkspaces().catch(async (error: unknown) => {
    await close();
    throw error;
  });
}

async function openStarter(directory: string | undefined): Promise<Starter> {
  const files = await readStarter(directory);
  return directory === undefined ? toStarter(files) : toCheckedStarter(files);
}

/** Starts without the index if it does not respond: recall answers in its place. Throws StartUpError if it cannot be used. */
async function openReachableIndex(
  config: Config,
  onFault: (error: unknown, doing: string) => void,
): Promise<EventIndex | null> {
  const index = await openEventIndex(config);
  try {
    if (index !== null) await checkEventIndex(index);
  } catch (error) {
    if (!(error instanceof EventIndexError)) throw error;
    onFault(error, 'reaching the index of events');
  }
  return index;
}

function stateAgesOf({ finishedPlanAgeHours, taskContextAgeHours }: Config): StateAges {
  const toMs = (hours: number) => (hours === 0 ? undefined : hours * 3_600_000);
  return { finishedPlanAgeMs: toMs(finishedPlanAgeHours), taskContextAgeMs: toMs(taskContextAgeHours) };
}
