import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Everything Prometheus can ask about one process. */
export class Metrics {
  readonly registry = new Registry();
  readonly #requests: Histogram<'operation' | 'status'>;
  readonly #refused: Counter<'code'>;

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    this.#requests = new Histogram({
      name: 'memhall_request_duration_seconds',
      help: 'Time from a request to the end of its answer, by operation and status.',
      labelNames: ['operation', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers: [this.registry],
    });
    this.#refused = new Counter({
      name: 'memhall_problems_total',
      help: 'Error answers, by problem code.',
      labelNames: ['code'],
      registers: [this.registry],
    });
  }

  observeRequest(operation: string, status: number, seconds: number): void {
    this.#requests.observe({ operation, status: String(status) }, seconds);
  }

  countProblem(code: string): void {
    this.#refused.inc({ code });
  }

  /** A value that is read when somebody asks; NaN when it cannot be had. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void {
    const gauge = new Gauge({
      name,
      help,
      registers: [this.registry],
      async collect() {
        try {
          gauge.set(await read());
        } catch {
          gauge.set(Number.NaN);
        }
      },
    });
  }
}
