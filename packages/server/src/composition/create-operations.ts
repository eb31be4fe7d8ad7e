import type { Json } from '@memhall/core';
import { inspectSigning } from '../engine/audit/inspect-signing.js';
import { inspectEventIndex } from '../engine/events/inspect-event-index.js';
import { describePlugin } from '../engine/host/describe-plugin.js';
import type { Host } from '../engine/host/host.js';
import { totalBacklog } from '../engine/memories/refresh-forms.js';
import { within } from '../engine/within.js';
import { readDocsScript, toDocsPage } from '../http/docs-page.js';
import type { LoadShedder } from '../http/load-shedder.js';
import type { Metrics } from '../http/metrics.js';
import { toOpenApi } from '../http/openapi.js';
import type { Operations } from '../surfaces/operations/operations-surface.js';
import type { RunningEngine } from './start-engine.js';
import { apiInfo, mainSurfaces, pluginInfo, pluginSurfaces } from './surfaces.js';
import { version } from './version.js';

/** `hostOfOutside`: the host of a memory plugin that is not the built-in one. */
export function createOperations(
  { engine, ledger, jobContext }: RunningEngine,
  metrics: Metrics,
  hostOfOutside: Host | undefined,
  shedder?: LoadShedder,
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
    memoryPlugin: () => hostOfOutside && describePlugin(hostOfOutside),
    eventIndex: () => inspectEventIndex(engine),
    isShedding: () => shedder?.isShedding ?? false,
    tokenRevocations: () => engine.revokedTokens.state(),
    auditLog: () => within(inspectSigning(jobContext)),
    jobs: () => within(ledger.backlog()),
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
