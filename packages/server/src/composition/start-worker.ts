import type { Logger } from 'pino';
import type { Config } from '../config/settings.js';
import type { RevokedTokens } from '../engine/tokens/revoked-tokens.js';
import { buildApp } from '../http/build-app.js';
import { Metrics } from '../http/metrics.js';
import { mountSurface } from '../http/mount-surface.js';
import type { Surface } from '../http/surface.js';
import { TokenVerifier } from '../http/token-verifier.js';
import type { LoopMarks } from '../ports/loop-marks.js';
import type { Operations } from '../surfaces/operations/operations.js';
import { operationsSurface } from '../surfaces/operations/operations-surface.js';
import { createKeyGate } from './create-key-gate.js';
import { createOperations } from './create-operations.js';
import { createQuotas } from './create-quotas.js';
import { addGauges, addJobGauges, addSigningGauges } from './gauges.js';
import { listen } from './listen.js';
import { type RunningEngine, startEngine } from './start-engine.js';
import { createVerifier } from './token-verifier.js';
import { watchEventLoop } from './watch-event-loop.js';

export interface RunningWorker {
  /** null if the listener is off. */
  metricsUrl: string | null;
  close(): Promise<void>;
}

/** The part of the operations surface that a worker has: nothing that describes an API. */
const workerSurface: Surface<Operations> = {
  ...operationsSurface,
  routes: operationsSurface.routes.filter(({ operation }) =>
    ['health.get', 'ready.get', 'metrics.get'].includes(operation),
  ),
};
/** No route takes a body. */
const bodyLimitBytes = 1024;

/** Runs jobs, and shows the metrics of this process to operators. */
export async function startWorker(config: Config, logger: Logger): Promise<RunningWorker> {
  const metrics = new Metrics();
  const watch = watchEventLoop(config, logger, metrics);
  const running = await startEngine(config, logger, {
    shareRunning: true,
    runJobs: true,
    telemetry: metrics,
    marks: watch,
  });
  const stopWatching = watch.start();
  const closeEngine = async () => {
    stopWatching();
    await running.close();
  };
  if (config.metricsPort === undefined) return { metricsUrl: null, close: closeEngine };
  try {
    const app = await buildListener(config, logger, running, metrics, watch);
    const url = await listen(app, config.metricsHost, config.metricsPort, '--metrics-port');
    const close = async () => {
      await Promise.all([app.close(), running.stopJobs()]);
      await closeEngine();
    };
    return { metricsUrl: `${url}/metrics`, close };
  } catch (error) {
    await closeEngine();
    throw error;
  }
}

async function buildListener(
  config: Config,
  logger: Logger,
  running: RunningEngine,
  metrics: Metrics,
  marks: LoopMarks,
) {
  const { engine, database, ledger } = running;
  await engine.revokedTokens.start();
  addGauges(metrics, engine, database);
  addJobGauges(metrics, ledger);
  addSigningGauges(metrics, running.jobContext);
  const app = buildApp({ logger, metrics, marks, requestTimeoutMs: config.requestTimeoutMs, bodyLimitBytes });
  const quotas = createQuotas(config, engine.store, database);
  mountSurface(app, workerSurface, createOperations(running, { config, metrics, quotas }), {
    tokens: await createTokens(config, engine.revokedTokens),
    quotas,
    keys: createKeyGate(config, engine.store, quotas),
    maxUploadBytes: 0,
    makeUploadDirectory: running.makeTemporaryDirectory,
    marks,
  });
  return app;
}

/**
 * A worker on PostgreSQL needs no data directory, so it does not create a secret there. Without a configured one it
 * accepts no tokens, only callers on this machine.
 */
async function createTokens(config: Config, revoked: RevokedTokens): Promise<TokenVerifier> {
  const hasKeys = config.jwtSecret !== undefined || config.jwksUrl !== undefined || config.databaseUrl === undefined;
  return hasKeys ? createVerifier(config, revoked) : new TokenVerifier({});
}
