import type { Json } from '@memhall/core';
import type { Config } from '../config/settings.js';
import { inspectSigning } from '../engine/audit/inspect-signing.js';
import { inspectEventIndex } from '../engine/events/inspect-event-index.js';
import { describePlugin } from '../engine/host/describe-plugin.js';
import type { Host } from '../engine/host/host.js';
import { totalBacklog } from '../engine/memories/refresh-forms.js';
import { listTenantsWithCounts } from '../engine/operations/list-tenants-with-counts.js';
import { retryJobs } from '../engine/operations/retry-jobs.js';
import { within } from '../engine/within.js';
import { readDocsScript, toDocsPage } from '../http/docs-page.js';
import type { Draining } from '../http/draining.js';
import type { LoadShedder } from '../http/load-shedder.js';
import type { Metrics } from '../http/metrics.js';
import { toOpenApi } from '../http/openapi.js';
import type { Quotas } from '../http/quotas.js';
import type { Operations } from '../surfaces/operations/operations.js';
import { readLatency } from './read-latency.js';
import type { RunningEngine } from './start-engine.js';
import { apiInfo, mainSurfaces, pluginInfo, pluginSurfaces } from './surfaces.js';
import { version } from './version.js';

interface OperationsParts {
  config: Config;
  metrics: Metrics;
  quotas: Quotas;
  shedder?: LoadShedder;
  draining?: Draining;
  /** Of a process that asks the memory plugin for its state. */
  pluginHost?: Host | undefined;
}

export function createOperations(
  { engine, ledger, jobContext, database, plugin: { outside } }: RunningEngine,
  { config, metrics, quotas, shedder, draining, pluginHost }: OperationsParts,
): Operations {
  let openapi: Promise<Json> | undefined;
  let pluginOpenapi: Promise<Json> | undefined;
  let docsScript: Promise<string> | undefined;
  return {
    version,
    ping: () => within(engine.store.ping()),
    status: () => within(engine.store.status()),
    embedder: () => engine.embedder?.describe() ?? null,
    reranker: () => engine.reranking?.reranker.describe(),
    indexing: () => within(totalBacklog(engine)),
    memoryPlugin: () =>
      outside && pluginHost && { ...describePlugin(pluginHost), circuit: outside.client.circuitState },
    eventIndex: () => inspectEventIndex(engine),
    isDraining: () => draining?.hasBegun ?? false,
    isShedding: () => shedder?.isShedding ?? false,
    tokenRevocations: () => engine.revokedTokens.state(),
    auditLog: () => within(inspectSigning(jobContext)),
    jobs: () => within(ledger.backlog()),
    listJobs: (filter) => within(ledger.list(filter)),
    retryJobs: (operator, ids) => retryJobs(engine, ledger, operator, ids),
    listTenants: (page) => listTenantsWithCounts(engine, page),
    quotas: () => quotas.describe(),
    latency: () => readLatency(config, metrics, { pool: database.pool, isShedding: shedder?.isShedding ?? false }),
    metrics: async () => ({ contentType: metrics.registry.contentType, text: await metrics.registry.metrics() }),
    openapi() {
      openapi ??= toOpenApi(mainSurfaces, apiInfo);
      return openapi;
    },
    pluginOpenapi() {
      pluginOpenapi ??= toOpenApi(pluginSurfaces, pluginInfo);
      return pluginOpenapi;
    },
    docsPage: () =>
      toDocsPage({
        title: apiInfo.title,
        specification: 'openapi.json',
        script: 'docs/script.js',
        other: { title: pluginInfo.title, path: 'docs/plugin' },
        canTry: true,
      }),
    pluginDocsPage: () =>
      toDocsPage({
        title: pluginInfo.title,
        specification: '../openapi-plugin.json',
        script: 'script.js',
        other: { title: apiInfo.title, path: '../docs' },
        canTry: false,
      }),
    docsScript() {
      docsScript ??= readDocsScript();
      return docsScript;
    },
  };
}
