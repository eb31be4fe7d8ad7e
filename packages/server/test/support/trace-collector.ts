import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface CollectedSpan {
  name: string;
  /** The OTLP span kind: 2 is server, 3 is client. */
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: { key: string; value: Record<string, unknown> }[];
}

/** Receives spans as an OpenTelemetry collector does: OTLP over HTTP, as JSON. */
export class TraceCollector {
  readonly spans: CollectedSpan[] = [];
  readonly #server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString());
    for (const { scopeSpans } of resourceSpans) for (const { spans } of scopeSpans) this.spans.push(...spans);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });

  start(): Promise<void> {
    return new Promise((done) => this.#server.listen(0, '127.0.0.1', done));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Waits for a span of this name in this trace, then returns the whole trace. */
  async trace(traceId: string, name: string): Promise<CollectedSpan[]> {
    for (const deadline = Date.now() + 10_000; Date.now() < deadline; await sleep(50)) {
      const trace = this.spans.filter((span) => span.traceId === traceId);
      if (trace.some((span) => span.name === name)) return trace;
    }
    throw new Error(`no span ${name} arrived: ${JSON.stringify(this.spans.map((span) => span.name))}`);
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
