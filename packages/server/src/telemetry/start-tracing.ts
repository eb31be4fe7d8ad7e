import { loadOptional } from '@memhall/core';
import type { Tracer } from '@opentelemetry/api';

const packages = [
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace-node',
];

interface Tracing {
  tracer: Tracer;
  /** Flushes pending spans. */
  close(): Promise<void>;
}

/**
 * Exports spans to an OTLP collector over HTTP. The SDK is loaded only here, so it costs nothing without an endpoint.
 */
export async function startTracing(endpoint: string, version: string): Promise<Tracing> {
  const [{ NodeTracerProvider, BatchSpanProcessor }, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await loadOptional('Tracing', packages, () =>
      Promise.all([
        import('@opentelemetry/sdk-trace-node'),
        import('@opentelemetry/exporter-trace-otlp-http'),
        import('@opentelemetry/resources'),
      ]),
    );
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` });
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'memhall', 'service.version': version }),
    spanProcessors: [new BatchSpanProcessor(exporter, { scheduledDelayMillis: 1000 })],
  });
  provider.register();
  return { tracer: provider.getTracer('memhall', version), close: () => provider.shutdown() };
}
