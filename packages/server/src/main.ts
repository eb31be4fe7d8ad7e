import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { watchPlugin } from './composition/create-host.js';
import { createKeyGate } from './composition/create-key-gate.js';
import { createOperations } from './composition/create-operations.js';
import { createQuotas } from './composition/create-quotas.js';
import { createTurns } from './composition/create-turns.js';
import { addCircuitGauge, addGauges, addJobGauges, addSigningGauges, addStandbyGauge } from './composition/gauges.js';
import { listen, listenOnSocket } from './composition/listen.js';
import { mountConsole } from './composition/mount-console.js';
import { mountMcp } from './composition/mount-mcp.js';
import { openChatModels } from './composition/open-chat-models.js';
import type { OnStep } from './composition/open-database.js';
import { openHolding } from './composition/open-holding.js';
import { refuseOpenPluginListener } from './composition/open-plugin-listener.js';
import { startEngine } from './composition/start-engine.js';
import { createVerifier } from './composition/token-verifier.js';
import { version } from './composition/version.js';
import { createShedder, watchEventLoop } from './composition/watch-event-loop.js';
import type { Config } from './config/settings.js';
import { BuiltInPlugin } from './engine/plugin/built-in-plugin.js';
import { buildApp } from './http/build-app.js';
import { Draining } from './http/draining.js';
import { acceptLocalHosts } from './http/local-hosts.js';
import { bindsToLoopback } from './http/loopback.js';
import { Metrics } from './http/metrics.js';
import { type Guards, mountSurface } from './http/mount-surface.js';
import { requireSharedToken } from './http/shared-token.js';
import { TokenlessCallers } from './http/tokenless-callers.js';
import { traceRequests } from './http/trace-requests.js';
import type { RunningServer } from './running-server.js';
import { adminSurface } from './surfaces/admin/admin-surface.js';
import { chatSurface } from './surfaces/chat/chat-surface.js';
import { documentsSurface } from './surfaces/documents/documents-surface.js';
import { filesSurface } from './surfaces/files/files-surface.js';
import { gatewaySurface } from './surfaces/gateway/gateway-surface.js';
import { memoryServiceSurface } from './surfaces/memory-service/memory-service-surface.js';
import { oneMemorySurface } from './surfaces/one-memory/one-memory-surface.js';
import { operationsSurface } from './surfaces/operations/operations-surface.js';
import { pluginSurface } from './surfaces/plugin/plugin-surface.js';
import { providerSurface } from './surfaces/provider/provider-surface.js';
import { startTracing } from './telemetry/start-tracing.js';

const bodyLimitBytes = 1024 * 1024;
/** Tenant of users that are created without a token. */
const defaultTenant = 'default';

/** `onStep` is told what a first start is doing. */
export async function startServer(config: Config, logger: Logger, onStep?: OnStep): Promise<RunningServer> {
  await refuseOpenPluginListener(config);
  const tracing = config.otlpEndpoint === undefined ? undefined : await startTracing(config.otlpEndpoint, version);
  const metrics = new Metrics();
  const shedder = createShedder(config, logger, metrics);
  const watch = watchEventLoop(config, logger, metrics, shedder);
  const running = await startEngine(config, logger, {
    tracer: tracing?.tracer,
    telemetry: metrics,
    marks: watch,
    ...(onStep && { onStep }),
  });
  const { engine, database, ledger } = running;
  const { host, outside } = running.plugin;
  const stopWatchingPlugin = await watchPlugin(host, logger);
  const { holding, close: closeHolding } = openHolding(config, logger, engine, outside);
  const apps: FastifyInstance[] = [];
  let stopWatching: (() => void) | undefined;
  const { turns, stop: stopTurns } = createTurns(config, { engine, database, watch, metrics });
  const draining = new Draining(config.drainMs);
  const stop = async () => {
    if (apps.some(({ server }) => server.listening)) await draining.run();
    stopWatching?.();
    await Promise.all([...apps.map((app) => app.close()), running.stopJobs()]);
    stopTurns();
    stopWatchingPlugin();
    await closeHolding();
    await running.close();
    await tracing?.close();
  };
  let stopped: Promise<void> | undefined;
  const close = () => {
    stopped ??= stop();
    return stopped;
  };
  try {
    await engine.revokedTokens.start();
    addGauges(metrics, engine, database);
    addJobGauges(metrics, ledger);
    addSigningGauges(metrics, running.jobContext);
    if (running.standby !== null) addStandbyGauge(metrics, running.standby);
    if (outside !== undefined) addCircuitGauge(metrics, outside.client);
    const tokenless = new TokenlessCallers({
      isAllowed: config.usersWithoutToken && database.kind === 'embedded' && (await bindsToLoopback(config.host)),
      tenantId: defaultTenant,
      logger,
    });
    const quotas = createQuotas(config, engine.store, database);
    const guards: Guards = {
      tokens: await createVerifier(config, engine.revokedTokens),
      quotas,
      keys: createKeyGate(config, engine.store, quotas),
      tokenless,
      maxUploadBytes: config.uploadMaxMegabytes * 1024 * 1024,
      makeUploadDirectory: running.makeTemporaryDirectory,
      marks: watch,
      turns,
    };
    const options = {
      logger,
      metrics,
      marks: watch,
      shedder,
      draining,
      requestTimeoutMs: config.requestTimeoutMs,
      bodyLimitBytes,
    };

    const main = buildApp(options);
    apps.push(main);
    tokenless.watch(main);
    if (tracing !== undefined) traceRequests(main, tracing.tracer);
    mountSurface(main, documentsSurface, engine, guards);
    mountSurface(main, oneMemorySurface, engine, guards);
    mountSurface(main, memoryServiceSurface, engine, guards);
    mountSurface(main, gatewaySurface, { engine, defaultTenant }, guards);
    mountSurface(main, providerSurface, engine, guards);
    mountSurface(main, chatSurface, { chatModels: openChatModels(config) }, guards);
    mountSurface(main, filesSurface, engine, guards);
    mountSurface(main, adminSurface, { engine, holding }, guards);
    await mountMcp(main, config, host, guards, engine.revokedTokens, logger);
    const signInPath = mountConsole(main, config, guards, logger);
    mountSurface(
      main,
      operationsSurface,
      createOperations(running, { config, metrics, quotas, shedder, draining, pluginHost: host }),
      guards,
    );
    const url = await listen(main, config.host, config.port, '--port');
    const signInLink = (token: string) => `${url}${signInPath(token)}`;
    stopWatching = watch.start();

    const { pluginSocket, pluginPort } = config;
    if (pluginSocket === undefined && pluginPort === undefined) return { url, pluginUrl: null, signInLink, close };
    const plugin = buildApp(options, pluginSurface.renderProblem);
    apps.push(plugin);
    if (tracing !== undefined) traceRequests(plugin, tracing.tracer);
    if (config.pluginToken !== undefined) requireSharedToken(plugin, config.pluginToken);
    else if (pluginSocket === undefined) acceptLocalHosts(plugin, config.pluginHost);
    mountSurface(plugin, pluginSurface, { plugin: new BuiltInPlugin(engine), tenantId: config.pluginTenant }, guards);
    const pluginUrl =
      pluginSocket === undefined
        ? await listen(plugin, config.pluginHost, pluginPort ?? 0, '--plugin-port')
        : await listenOnSocket(plugin, pluginSocket);
    return { url, pluginUrl, signInLink, close };
  } catch (error) {
    await close();
    throw error;
  }
}
