import { docsPolicy } from '../../http/docs-page.js';
import { renderProblem } from '../../http/render-problem.js';
import { defineRoute } from '../../http/route.js';
import type { Surface } from '../../http/surface.js';
import { Health, Ready } from './health-schemas.js';
import { jobRoutes } from './job-routes.js';
import type { Operations } from './operations.js';
import { overviewRoutes } from './overview-routes.js';
import { readHealthDetails } from './read-health-details.js';

const pageHeaders = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': docsPolicy };
const scriptHeaders = { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'max-age=3600' };

function succeeds(check: Promise<void>): Promise<boolean> {
  return check.then(
    () => true,
    () => false,
  );
}

export const operationsSurface: Surface<Operations> = {
  name: 'operations',
  title: 'Operations',
  description: 'Health, latency, jobs, tenants and metrics, without the content of any memory; and this documentation.',
  loadExamples: async () => (await import('./operations-examples.js')).operationsExamples,
  renderProblem,
  routes: [
    defineRoute({
      operation: 'health.get',
      method: 'GET',
      path: '/health',
      summary: 'Get the health of the service. The status is always 200.',
      access: 'open',
      alwaysAnswers: true,
      request: {},
      responses: { 200: { description: 'Health of the service and its store', schema: Health } },
      async handle(operations: Operations, { identity }) {
        const detailed = identity?.roles.includes('operator') === true;
        const working = await succeeds(operations.ping());
        const details = working && detailed ? await readHealthDetails(operations) : undefined;
        const well = working && (details !== undefined || !detailed);
        const isWhole = !operations.tokenRevocations().isStale && operations.embedder()?.status !== 'failed';
        const body = {
          status: well && isWhole ? 'ok' : 'degraded',
          api: { status: 'ok' },
          backend: { status: well ? 'ok' : 'down' },
          ...details,
        };
        return { body };
      },
    }),
    defineRoute({
      operation: 'ready.get',
      method: 'GET',
      path: '/ready',
      summary: 'Check whether the service can handle requests now.',
      access: 'open',
      alwaysAnswers: true,
      request: {},
      responses: { 200: { description: 'Ready', schema: Ready }, 503: { description: 'Not ready', schema: Ready } },
      async handle(operations: Operations) {
        const ready = !operations.isDraining() && !operations.isShedding() && (await succeeds(operations.ping()));
        const status = operations.embedder()?.status ?? 'ready';
        return { status: ready ? 200 : 503, body: { ready, ...(status === 'ready' ? {} : { embedder: status }) } };
      },
    }),
    defineRoute({
      operation: 'metrics.get',
      method: 'GET',
      path: '/metrics',
      summary: 'Get the metrics for Prometheus.',
      access: 'local',
      alwaysAnswers: true,
      request: {},
      responses: { 200: { description: 'Prometheus text format', contentType: 'text/plain' } },
      async handle(operations: Operations) {
        const { contentType, text } = await operations.metrics();
        return { headers: { 'content-type': contentType }, body: text };
      },
    }),
    ...jobRoutes,
    ...overviewRoutes,
    defineRoute({
      operation: 'openapi.get',
      method: 'GET',
      path: '/openapi.json',
      summary: 'Get the OpenAPI 3.1 description of this API.',
      access: 'open',
      request: {},
      responses: { 200: { description: 'OpenAPI document', contentType: 'application/json' } },
      async handle(operations: Operations) {
        return { headers: { 'content-type': 'application/json; charset=utf-8' }, body: await operations.openapi() };
      },
    }),
    defineRoute({
      operation: 'openapi.getPlugin',
      method: 'GET',
      path: '/openapi-plugin.json',
      summary: 'Get the OpenAPI 3.1 description of the plugin listener.',
      access: 'open',
      request: {},
      responses: { 200: { description: 'OpenAPI document', contentType: 'application/json' } },
      async handle(operations: Operations) {
        return {
          headers: { 'content-type': 'application/json; charset=utf-8' },
          body: JSON.stringify(await operations.pluginOpenapi()),
        };
      },
    }),
    defineRoute({
      operation: 'docs.get',
      method: 'GET',
      path: '/docs',
      summary: 'Get a page that shows this API and tries its calls.',
      access: 'open',
      request: {},
      responses: { 200: { description: 'HTML page', contentType: 'text/html' } },
      async handle(operations: Operations) {
        return { headers: pageHeaders, body: operations.docsPage() };
      },
    }),
    defineRoute({
      operation: 'docs.getPlugin',
      method: 'GET',
      path: '/docs/plugin',
      summary: 'Get a page that shows the API of the plugin listener.',
      access: 'open',
      request: {},
      responses: { 200: { description: 'HTML page', contentType: 'text/html' } },
      async handle(operations: Operations) {
        return { headers: pageHeaders, body: operations.pluginDocsPage() };
      },
    }),
    defineRoute({
      operation: 'docs.script',
      method: 'GET',
      path: '/docs/script.js',
      summary: 'Get the script of the pages of the APIs.',
      access: 'open',
      request: {},
      responses: { 200: { description: 'JavaScript', contentType: 'text/javascript' } },
      async handle(operations: Operations) {
        return { headers: scriptHeaders, body: await operations.docsScript() };
      },
    }),
  ],
};
