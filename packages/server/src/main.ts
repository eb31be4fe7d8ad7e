import { join } from 'node:path';
import { Problem, StartUpError } from '@memhall/core';
import type { Tracer } from '@opentelemetry/api';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from './config/settings.js';
import { TenantCipher } from './engine/conversations/tenant-cipher.js';
import { DocumentRegistry } from './engine/documents/document-registry.js';
import { toStarter } from './engine/documents/starter.js';
import type { Engine } from './engine/engine.js';
import { bytesPerMemory, SegmentCache } from './engine/memories/index/segment-cache.js';
import { defaultWeights } from './engine/memories/recall/weights.js';
import { totalBacklog } from './engine/memories/refresh-forms.js';
import { TenantLanguages } from './engine/memories/tenant-languages.js';
import { deriveRows } from './engine/outer/derive-rows.js';
import { OuterArtifacts } from './engine/outer/outer-artifacts.js';
import { buildApp } from './http/build-app.js';
import { toDocsPage } from './http/docs-page.js';
import { TokenVerifier } from './http/identity.js';
import { acceptLocalHosts } from './http/local-hosts.js';
import { describeError } from './http/logging.js';
import { Metrics } from './http/metrics.js';
import { type Guards, mountSurface } from './http/mount-surface.js';
import { toOpenApi } from './http/openapi.js';
import { Quotas } from './http/quotas.js';
import { requireSharedToken } from './http/shared-token.js';
import { traceRequests } from './http/trace-requests.js';
import { BackgroundWork } from './jobs/background-work.js';
import { MemoryTasks } from './jobs/memory-tasks.js';
import { startOuterTasks } from './jobs/outer-tasks.js';
import { ReplayTasks } from './jobs/replay-tasks.js';
import { startStateTasks } from './jobs/state-tasks.js';
import { checkArtifactOrigin, openArtifactStore } from './open-artifact-store.js';
import type { Embedder, EmbedderDescription } from './ports/embedder.js';
import { EmbedderError } from './ports/embedder-error.js';
import { ExtractorError } from './ports/extractor-error.js';
import type { Partition } from './ports/memories.js';
import type { Store } from './ports/store.js';
import { noTelemetry, type Telemetry } from './ports/telemetry.js';
import { CachingEmbedder } from './providers/embedders/caching-embedder.js';
import { openMinilmEmbedder } from './providers/embedders/minilm-embedder.js';
import { OpenAiCompatibleEmbedder } from './providers/embedders/openai-compatible-embedder.js';
import { openExtractor } from './providers/extractors/open-extractor.js';
import { readMasterKeys, replaceMasterKey } from './providers/master-key-file.js';
import { MasterKeyWrapper, parseMasterKey } from './providers/master-key-wrapper.js';
import { readStarter } from './providers/read-starter.js';
import { readOrCreateSecret } from './providers/secret-file.js';
import { connectPostgres } from './store/connect-postgres.js';
import { isHeld } from './store/data-directory.js';
import { Database, type DatabaseConnection } from './store/database.js';
import { migrate, pendingMigrations, readMigrations } from './store/migrations.js';
import { openEmbedded } from './store/open-embedded.js';
import { PostgresStore } from './store/postgres/postgres-store.js';
import { documentsSurface } from './surfaces/documents/documents-surface.js';
import { memoryServiceSurface } from './surfaces/memory-service/memory-service-surface.js';
import { type Operations, operationsSurface } from './surfaces/operations/operations-surface.js';
import { pluginSurface } from './surfaces/plugin/plugin-surface.js';
import { startTracing } from './telemetry/start-tracing.js';
import { version } from './version.js';

export const apiInfo = { title: 'Memhall', version };

/** What each listener serves. */
export const mainSurfaces = [documentsSurface, memoryServiceSurface, operationsSurface] as const;
export const pluginSurfaces = [pluginSurface] as const;

const bodyLimitBytes = 1024 * 1024;
const pingDeadlineMs = 1000;

export interface RunningServer {
  url: string;
  pluginUrl: string | null;
  /** Stops accepting, finishes what is in flight, closes the store. */
  close(): Promise<void>;
}

/** The database behind a configuration, its schema checked and, unless told not to, brought up to date. */
export async function openDatabase(
  config: Config,
  logger: Logger,
  options: { shareRunning?: boolean; tracer?: Tracer | undefined } = {},
): Promise<Database> {
  const connection = await connect(config, logger, options.shareRunning ?? false);
  const database = new Database(connection, options.tracer);
  try {
    await prepareSchema(config, database, logger);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

function connect(config: Config, logger: Logger, shareRunning: boolean): Promise<DatabaseConnection> {
  const onError = (error: Error) => logger.warn({ error: describeError(error) }, 'lost a database connection');
  if (config.databaseUrl === undefined) {
    return openEmbedded({ dataDirectory: config.dataDirectory, shareRunning, onError });
  }
  const { databaseUrl: url, databasePoolSize: poolSize, statementTimeoutMs } = config;
  return connectPostgres({ url, poolSize, statementTimeoutMs, onError });
}

/** Migrates, or with `dryRun` only tells. Answers what was, or would be, applied. */
export async function migrateDatabase(
  config: Config,
  logger: Logger,
  dryRun: boolean,
): Promise<{ pending: string[]; version: number }> {
  const known = await readMigrations();
  const connection = await connect(config, logger, true);
  try {
    const pending = dryRun
      ? await pendingMigrations(connection.pool, known)
      : (await migrate(connection.pool, known)).applied;
    return { pending, version: known.length };
  } finally {
    await connection.close();
  }
}

/** What there is to say about a database without changing it. */
export async function inspectDatabase(config: Config, logger: Logger) {
  const connection = await connect(config, logger, true);
  try {
    const pending = await pendingMigrations(connection.pool, await readMigrations());
    const { rows } = await connection.pool.query<{ version: string; now: Date }>(
      `SELECT current_setting('server_version') AS version, clock_timestamp() AS now`,
    );
    return {
      kind: connection.kind,
      serverVersion: rows[0]?.version ?? '',
      pending,
      nowMs: rows[0]?.now.getTime() ?? 0,
    };
  } finally {
    await connection.close();
  }
}

export function isDataDirectoryInUse(config: Config): Promise<boolean> {
  return isHeld(config.dataDirectory);
}

async function prepareSchema(config: Config, database: Database, logger: Logger): Promise<void> {
  const known = await readMigrations();
  if (config.migrate) {
    const { applied } = await migrate(database.pool, known);
    if (applied.length > 0) logger.info({ applied }, 'schema migrated');
    return;
  }
  const pending = await pendingMigrations(database.pool, known);
  if (pending.length > 0) {
    throw new StartUpError(`The database schema lacks ${pending.join(', ')}: run \`memhall migrate\` first.`);
  }
}

/** The store as operators' commands use it. */
export function openStore(database: Database): Store {
  return new PostgresStore(database);
}

export interface RunningEngine {
  engine: Engine;
  close(): Promise<void>;
}

/** Everything below the surfaces: store, embedder, engine and the work in the background. */
export async function startEngine(
  config: Config,
  logger: Logger,
  options: {
    tracer?: Tracer | undefined;
    shareRunning?: boolean;
    telemetry?: Telemetry;
    /** The database may be behind its outer store: it is about to be rebuilt. */
    rebuilds?: boolean;
  } = {},
): Promise<RunningEngine & { database: Database }> {
  const starter = toStarter(await readStarter(config.starterDirectory));
  const wrapper = await openKeyWrapper(config);
  const [opening, loading, reaching] = await Promise.allSettled([
    openDatabase(config, logger, options),
    openEmbedder(config, logger),
    openArtifactStore(config),
  ]);
  if (opening.status === 'rejected' || loading.status === 'rejected' || reaching.status === 'rejected') {
    if (opening.status === 'fulfilled') await opening.value.close();
    if (loading.status === 'fulfilled') await loading.value?.close();
    const failed = [opening, loading, reaching].find((outcome) => outcome.status === 'rejected');
    throw (failed as PromiseRejectedResult).reason;
  }
  const [database, embedder, artifactStore] = [opening.value, loading.value, reaching.value];
  const onFault = (error: unknown, doing: string) => logger.error({ error: describeError(error) }, `failed: ${doing}`);
  const background = new BackgroundWork(onFault);
  const tasks = new MemoryTasks(background);
  const replays = new ReplayTasks(background);
  const store = new PostgresStore(database);
  try {
    await checkMasterKey(store, wrapper);
    await checkArtifactOrigin(config, store, artifactStore, options.rebuilds ?? false);
  } catch (error) {
    await embedder?.close();
    await database.close();
    throw error;
  }
  const onLargePartition = (tenantId: string, partition: Partition) => tasks.noteLarge(tenantId, partition);
  const engine: Engine = {
    store,
    outer: artifactStore && new OuterArtifacts(artifactStore, deriveRows),
    clock: { now: () => new Date() },
    embedder,
    segments: createSegmentCache(config, database, store, embedder, onLargePartition),
    languages: new TenantLanguages(store),
    recallWeights: defaultWeights,
    registry: new DocumentRegistry(starter),
    cipher: new TenantCipher(wrapper),
    extractor: await openExtractor(config, options.telemetry ?? noTelemetry),
    telemetry: options.telemetry ?? noTelemetry,
    onUnembedded: (tenantId) => tasks.noteUnembedded(tenantId),
    onReplayQueued: (replay) => replays.noteQueued(replay),
    onLargePartition,
    onFault,
  };
  tasks.start(engine);
  replays.start(engine);
  startStateTasks(background, engine, {
    finishedPlanHours: config.finishedPlanAgeHours,
    taskContextHours: config.taskContextAgeHours,
  });
  const finishCopies = startOuterTasks(background, engine);
  const close = async () => {
    await background.close();
    await finishCopies();
    await embedder?.close();
    await database.close();
  };
  return { engine, database, close };
}

/** The master key: configured, or kept in the data directory. */
export async function openKeyWrapper(config: Config): Promise<MasterKeyWrapper> {
  if (config.masterKey === undefined) {
    const read = () => readMasterKeys(config.dataDirectory);
    return new MasterKeyWrapper(await read(), read);
  }
  const previous = config.previousMasterKey;
  return new MasterKeyWrapper([
    parseMasterKey(config.masterKey, 'MEMHALL_MASTER_KEY'),
    ...(previous === undefined ? [] : [parseMasterKey(previous, 'MEMHALL_MASTER_KEY_PREVIOUS')]),
  ]);
}

/** Locks the keys of all tenants with the present master key; where that is kept in a file, with a new one. */
export async function rotateMasterKey(
  config: Config,
  logger: Logger,
  onProgress: (done: number, total: number) => void,
): Promise<{ tenants: number; keys: number }> {
  const database = await openDatabase(config, logger, { shareRunning: true });
  try {
    const store = new PostgresStore(database);
    await checkMasterKey(store, await openKeyWrapper(config));
    if (config.masterKey === undefined) await replaceMasterKey(config.dataDirectory);
    const cipher = new TenantCipher(await openKeyWrapper(config));
    const tenants = [...new Set((await store.masterKeysInUse()).map(({ tenantId }) => tenantId))];
    let keys = 0;
    for (const [index, tenantId] of tenants.entries()) {
      keys += await store.administer(tenantId, (tables) => cipher.rewrap(tables, tenantId));
      onProgress(index + 1, tenants.length);
    }
    return { tenants: tenants.length, keys };
  } finally {
    await database.close();
  }
}

/** Every tenant's key must be one that can be opened: better no service than one that loses conversations. */
async function checkMasterKey(store: Store, wrapper: MasterKeyWrapper): Promise<void> {
  const foreign = (await store.masterKeysInUse()).filter(({ wrappedBy }) => !wrapper.knows(wrappedBy));
  if (foreign.length === 0) return;
  throw new StartUpError(
    `MEMHALL_MASTER_KEY is not the key that the snapshots of ${foreign.length} tenant(s) are locked with. Set the right one; to change it, set the old one as MEMHALL_MASTER_KEY_PREVIOUS and run \`memhall keys rotate\`.`,
  );
}

/** The embedded database is too slow at searching by itself: there every partition is ranked in memory. */
function createSegmentCache(
  config: Config,
  database: Database,
  store: Store,
  embedder: Embedder | null,
  onLarge: (tenantId: string, partition: Partition) => void,
): SegmentCache {
  const maxBytes = config.recallCacheMegabytes * 1024 * 1024;
  const fitting = Math.floor(maxBytes / bytesPerMemory(embedder?.dimension ?? 0));
  return new SegmentCache(store, {
    maxBytes,
    maxMemories: database.kind === 'embedded' ? Number.POSITIVE_INFINITY : config.recallResidentMemories || fitting,
    model: embedder && { name: embedder.model, dimension: embedder.dimension },
    onLarge,
  });
}

/** null: recall by words only. */
async function openEmbedder(config: Config, logger: Logger): Promise<Embedder | null> {
  if (config.embedder === 'none') return null;
  try {
    return new CachingEmbedder(
      config.embedder === 'local' ? await openLocal(config) : await openRemote(config, logger),
    );
  } catch (error) {
    if (!(error instanceof EmbedderError)) throw error;
    const message = `The embedder cannot be used: ${error.message}. Check MEMHALL_EMBEDDER and what belongs to it.`;
    throw new StartUpError(message, { cause: error });
  }
}

/** Opens the embedder of a configuration, without leaving anything behind, and says what it is. */
export async function inspectEmbedder(config: Config, logger: Logger): Promise<EmbedderDescription> {
  const embedder =
    config.embedder === 'local'
      ? await openMinilmEmbedder({ runtime: config.embedderRuntime })
      : await openEmbedder(config, logger);
  if (embedder === null) throw new StartUpError('There is no embedder.');
  try {
    return embedder.describe();
  } finally {
    await embedder.close();
  }
}

/** Lets the extractor of a configuration read one sentence, and answers its name. */
export async function inspectExtractor(config: Config): Promise<string> {
  const extractor = await openExtractor(config, noTelemetry);
  if (extractor === null) throw new StartUpError('There is no extractor.');
  try {
    await extractor.extract({ messages: [{ id: '1', role: 'user', content: 'I live in Oslo.' }] });
    return extractor.name;
  } catch (error) {
    if (!(error instanceof ExtractorError)) throw error;
    const message = `The extractor does not work: ${error.message}. Check MEMHALL_EXTRACTOR and what belongs to it.`;
    throw new StartUpError(message, { cause: error });
  }
}

function openLocal(config: Config): Promise<Embedder> {
  const cacheDirectory = join(config.dataDirectory, 'models');
  return openMinilmEmbedder({ runtime: config.embedderRuntime, cacheDirectory });
}

/** An endpoint that is down for the moment holds up nobody who has said how long its vectors are. */
async function openRemote(config: Config, logger: Logger): Promise<Embedder> {
  const embedder = new OpenAiCompatibleEmbedder({
    baseUrl: config.embedderUrl ?? '',
    model: config.embedderModel ?? '',
    apiKey: config.embedderKey,
    dimension: config.embedderDimension || undefined,
  });
  try {
    await embedder.probe();
  } catch (error) {
    if (!(error instanceof EmbedderError && error.retryable && config.embedderDimension > 0)) throw error;
    logger.warn(
      { error: describeError(error) },
      'the embeddings endpoint does not answer; memories wait for their vectors',
    );
  }
  return embedder;
}

/** The secret of HS256 tokens: configured, or kept in the data directory. None where only a key set counts. */
export async function tokenSecret(config: Config): Promise<string | undefined> {
  if (config.jwtSecret !== undefined) return config.jwtSecret;
  if (config.jwksUrl !== undefined) return undefined;
  return readOrCreateSecret(join(config.dataDirectory, 'jwt-secret'));
}

export async function startServer(config: Config, logger: Logger): Promise<RunningServer> {
  const tracing = config.otlpEndpoint === undefined ? undefined : await startTracing(config.otlpEndpoint, version);
  const metrics = new Metrics();
  const running = await startEngine(config, logger, { tracer: tracing?.tracer, telemetry: metrics });
  const { engine, database } = running;
  const apps: FastifyInstance[] = [];
  const stop = async () => {
    await Promise.all(apps.map((app) => app.close()));
    await running.close();
    await tracing?.close();
  };
  let stopped: Promise<void> | undefined;
  const close = () => {
    stopped ??= stop();
    return stopped;
  };
  try {
    addGauges(metrics, engine, database);
    const guards: Guards = { tokens: await createVerifier(config), quotas: createQuotas(config) };
    const options = { logger, metrics, requestTimeoutMs: config.requestTimeoutMs, bodyLimitBytes };

    const main = buildApp(options);
    apps.push(main);
    if (tracing !== undefined) traceRequests(main, tracing.tracer);
    mountSurface(main, documentsSurface, engine, guards);
    mountSurface(main, memoryServiceSurface, engine, guards);
    mountSurface(main, operationsSurface, createOperations(engine, metrics), guards);
    const url = await listen(main, config.host, config.port, '--port');

    if (config.pluginPort === undefined) return { url, pluginUrl: null, close };
    const plugin = buildApp(options, pluginSurface.renderProblem);
    apps.push(plugin);
    if (tracing !== undefined) traceRequests(plugin, tracing.tracer);
    if (config.pluginToken !== undefined) requireSharedToken(plugin, config.pluginToken);
    else acceptLocalHosts(plugin, config.pluginHost);
    mountSurface(plugin, pluginSurface, { engine, tenantId: config.pluginTenant }, guards);
    return { url, pluginUrl: await listen(plugin, config.pluginHost, config.pluginPort, '--plugin-port'), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function createVerifier(config: Config): Promise<TokenVerifier> {
  const { jwksUrl, jwtIssuer, jwtAudience } = config;
  const secret = await tokenSecret(config);
  return new TokenVerifier({
    secret: secret === undefined ? undefined : new TextEncoder().encode(secret),
    keySet:
      jwksUrl !== undefined && jwtIssuer !== undefined && jwtAudience !== undefined
        ? { url: jwksUrl, issuer: jwtIssuer, audience: jwtAudience }
        : undefined,
  });
}

function createQuotas(config: Config): Quotas {
  return new Quotas({
    tenantPerMinute: config.quotaTenantPerMinute,
    userPerMinute: config.quotaUserPerMinute,
    servicePerMinute: config.quotaServicePerMinute,
  });
}

function addGauges(metrics: Metrics, engine: Engine, database: Database): void {
  const { pool } = database;
  metrics.gauge('memhall_pool_connections', 'Open database connections.', () => pool.totalCount);
  metrics.gauge('memhall_pool_idle_connections', 'Database connections nobody uses.', () => pool.idleCount);
  metrics.gauge(
    'memhall_pool_waiting_requests',
    'Requests waiting for a database connection.',
    () => pool.waitingCount,
  );
  metrics.gauge(
    'memhall_store_size_bytes',
    'Size of the database.',
    async () => (await within(engine.store.status())).sizeBytes,
  );
  const backlog = remembered(15_000, () => totalBacklog(engine));
  metrics.gauge(
    'memhall_memories_outdated',
    'Memories that wait for their vector, or to be analysed anew.',
    async () => (await backlog()).count,
  );
  metrics.gauge('memhall_indexing_lag_seconds', 'How long the oldest of them has waited.', async () => {
    const { oldest } = await backlog();
    return oldest === null ? 0 : (Date.now() - oldest.getTime()) / 1000;
  });
  metrics.gauge('memhall_recall_cache_bytes', 'Memory held for searching.', () => engine.segments.bytes);
}

/** Asks again only after a while: what answers may look at every tenant. */
function remembered<T>(forMs: number, ask: () => Promise<T>): () => Promise<T> {
  let known: { answer: Promise<T>; at: number } | undefined;
  return () => {
    if (known === undefined || Date.now() - known.at > forMs) known = { answer: ask(), at: Date.now() };
    return known.answer;
  };
}

function createOperations(engine: Engine, metrics: Metrics): Operations {
  const openapi = toOpenApi(mainSurfaces, apiInfo);
  const docsPage = toDocsPage(mainSurfaces, apiInfo);
  return {
    ping: async () => {
      await within(Promise.all([engine.store.ping(), engine.outer?.store.identity()]));
    },
    status: () => within(engine.store.status()),
    embedder: () => engine.embedder?.describe() ?? null,
    metrics: async () => ({ contentType: metrics.registry.contentType, text: await metrics.registry.metrics() }),
    openapi: () => openapi,
    docsPage: () => docsPage,
  };
}

/** A store that hangs must not hang what asks how it does. */
async function within<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Problem('UNAVAILABLE', 'The store does not answer.')), pingDeadlineMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function listen(app: FastifyInstance, host: string, port: number, flag: string): Promise<string> {
  try {
    return await app.listen({ host, port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE' && code !== 'EACCES' && code !== 'EADDRNOTAVAIL') throw error;
    const reason = {
      EADDRINUSE: 'is taken',
      EACCES: 'needs more rights',
      EADDRNOTAVAIL: 'is not an address of this machine',
    }[code];
    throw new StartUpError(`${host}:${port} ${reason}: choose another with ${flag} (0 picks a free one).`, {
      cause: error,
    });
  }
}
