import type { Tracer } from '@opentelemetry/api';

interface Tracing {
  tracer: Tracer;
  /** Sends what is left. */
  close(): Promise<void>;
}

/** Exports spans to an OTLP collector over HTTP. The SDK is loaded only here: without an endpoint it costs nothing. */
export async function startTracing(endpoint: string, version: string): Promise<Tracing> {
  const [{ NodeTracerProvider, BatchSpanProcessor }, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/sdk-trace-node'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` });
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'memhall', 'service.version': version }),
    spanProcessors: [new BatchSpanProcessor(exporter, { scheduledDelayMillis: 1000 })],
  });
  provider.register();
  return { tracer: provider.getTracer('memhall', version), close: () => provider.shutdown() };
}
