import type { FoundSecrets, ScanCategory } from '@memhall/core';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { RecallStage, Telemetry } from '../ports/telemetry.js';
import { LatencyWindow, nowMinutes } from './latency-window.js';

interface RecentStall {
  operation: string;
  delayMs: number;
  at: Date;
}

const keptStalls = 100;

/** The Prometheus metrics of one process. */
export class Metrics implements Telemetry {
  readonly registry = new Registry();
  /** Requests of the last hour, by operation. */
  readonly recentRequests = new LatencyWindow();
  /** Parts of recall in the last hour. */
  readonly recentStages = new LatencyWindow();
  /** Oldest first. */
  readonly #recentStalls: RecentStall[] = [];
  readonly #requests: Histogram<'operation' | 'status'>;
  readonly #refused: Counter<'code'>;
  readonly #documentWrites: Counter<'binding' | 'outcome'>;
  readonly #documentSizes: Histogram<'binding'>;
  readonly #recallStages: Histogram<'stage'>;
  readonly #eventSearches: Histogram;
  readonly #emptyEventSearches: Counter;
  readonly #eventIndexFallbacks: Counter<'reason'>;
  readonly #replays: Counter<'outcome'>;
  readonly #redactions: Counter<'label'>;
  readonly #blocked: Counter<'way' | 'category'>;
  readonly #toolCalls: Counter<'tool' | 'outcome'>;
  readonly #extractionRefusals: Counter<'extractor' | 'reason'>;
  readonly #webhooks: Counter<'outcome'>;
  readonly #jobs: Counter<'job' | 'outcome'>;
  readonly #jobDurations: Histogram<'job'>;
  readonly #loopDelays: Histogram;
  readonly #stalls: Histogram<'operation'>;
  readonly #shed: Counter;

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    this.#requests = new Histogram({
      name: 'memhall_request_duration_seconds',
      help: 'Time from receiving a request to the end of its response, by operation and status.',
      labelNames: ['operation', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers: [this.registry],
    });
    this.#refused = new Counter({
      name: 'memhall_problems_total',
      help: 'Error responses, by problem code.',
      labelNames: ['code'],
      registers: [this.registry],
    });
    this.#documentWrites = new Counter({
      name: 'memhall_document_writes_total',
      help: 'Document writes, by binding and outcome: applied, replayed, or the problem code of a rejected write.',
      labelNames: ['binding', 'outcome'],
      registers: [this.registry],
    });
    this.#documentSizes = new Histogram({
      name: 'memhall_document_size_ratio',
      help: 'Size of a document after a write as a fraction of max_chars, by binding.',
      labelNames: ['binding'],
      buckets: [0.1, 0.25, 0.5, 0.75, 0.8, 0.9, 0.95, 1],
      registers: [this.registry],
    });
    this.#recallStages = new Histogram({
      name: 'memhall_recall_stage_duration_seconds',
      help: 'Duration of the parts of a recall: load, embed, match, fetch, rerank, outside.',
      labelNames: ['stage'],
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers: [this.registry],
    });
    this.#eventSearches = new Histogram({
      name: 'memhall_event_search_duration_seconds',
      help: 'Duration of event searches in the engine.',
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
      registers: [this.registry],
    });
    this.#emptyEventSearches = new Counter({
      name: 'memhall_event_searches_empty_total',
      help: 'Event searches without results.',
      registers: [this.registry],
    });
    this.#eventIndexFallbacks = new Counter({
      name: 'memhall_event_index_fallbacks_total',
      help: 'Event searches that recall answered instead of the outer index, by reason: behind (it lacks events of the user) or unavailable.',
      labelNames: ['reason'],
      registers: [this.registry],
    });
    this.#replays = new Counter({
      name: 'memhall_replays_total',
      help: 'Finished replays of conversations, by outcome: completed or failed.',
      labelNames: ['outcome'],
      registers: [this.registry],
    });
    this.#redactions = new Counter({
      name: 'memhall_redactions_total',
      help: 'Secrets redacted before storing, by label.',
      labelNames: ['label'],
      registers: [this.registry],
    });
    this.#blocked = new Counter({
      name: 'memhall_blocked_total',
      help: 'Texts that the scanner blocked from being stored (write) or shown to a model (read), by category.',
      labelNames: ['way', 'category'],
      registers: [this.registry],
    });
    this.#toolCalls = new Counter({
      name: 'memhall_tool_calls_total',
      help: 'MCP tool calls, by tool and outcome: ok, or the problem code.',
      labelNames: ['tool', 'outcome'],
      registers: [this.registry],
    });
    this.#extractionRefusals = new Counter({
      name: 'memhall_extraction_refused_total',
      help: 'Facts proposed by an extractor that were rejected, by extractor and reason.',
      labelNames: ['extractor', 'reason'],
      registers: [this.registry],
    });
    this.#webhooks = new Counter({
      name: 'memhall_webhook_attempts_total',
      help: 'Attempts to send a webhook what changed, by outcome: delivered, retried (sent again later) or failed (given up).',
      labelNames: ['outcome'],
      registers: [this.registry],
    });
    this.#jobs = new Counter({
      name: 'memhall_jobs_total',
      help: 'Job attempts of this process, by outcome: completed, retried, failed (no attempts left) or released (not run to its end).',
      labelNames: ['job', 'outcome'],
      registers: [this.registry],
    });
    this.#jobDurations = new Histogram({
      name: 'memhall_job_duration_seconds',
      help: 'Duration of job attempts.',
      labelNames: ['job'],
      buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 1800],
      registers: [this.registry],
    });
    this.#loopDelays = new Histogram({
      name: 'memhall_event_loop_delay_seconds',
      help: 'How late the event loop ran a timer, measured up to 50 times a second.',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers: [this.registry],
    });
    this.#stalls = new Histogram({
      name: 'memhall_event_loop_stall_seconds',
      help: 'Delays of the event loop that are long enough to be logged, by the operation that caused them.',
      labelNames: ['operation'],
      buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers: [this.registry],
    });
    this.#shed = new Counter({
      name: 'memhall_requests_shed_total',
      help: 'Requests refused because the event loop stays late.',
      registers: [this.registry],
    });
  }

  countExtractionRefusals(extractor: string, reason: string, count: number): void {
    this.#extractionRefusals.inc({ extractor, reason }, count);
  }

  countDocumentWrite(bindingId: string, outcome: string): void {
    this.#documentWrites.inc({ binding: bindingId, outcome });
  }

  observeDocumentSize(bindingId: string, share: number): void {
    this.#documentSizes.observe({ binding: bindingId }, share);
  }

  observeRecallStage(stage: RecallStage, seconds: number): void {
    this.#recallStages.observe({ stage }, seconds);
    this.recentStages.observe(stage, seconds);
  }

  observeEventSearch(seconds: number, results: number): void {
    this.#eventSearches.observe(seconds);
    if (results === 0) this.#emptyEventSearches.inc();
  }

  countEventIndexFallback(reason: 'behind' | 'unavailable'): void {
    this.#eventIndexFallbacks.inc({ reason });
  }

  countReplay(outcome: 'completed' | 'failed'): void {
    this.#replays.inc({ outcome });
  }

  countWebhook(outcome: 'delivered' | 'retried' | 'failed'): void {
    this.#webhooks.inc({ outcome });
  }

  observeJob(job: string, outcome: string, seconds: number): void {
    this.#jobs.inc({ job, outcome });
    this.#jobDurations.observe({ job }, seconds);
  }

  observeLoopDelay(seconds: number): void {
    this.#loopDelays.observe(seconds);
  }

  observeStall(operation: string, seconds: number): void {
    this.#stalls.observe({ operation }, seconds);
    this.#recentStalls.push({ operation, delayMs: seconds * 1000, at: new Date() });
    if (this.#recentStalls.length > keptStalls) this.#recentStalls.shift();
  }

  /** Returns the delays of the event loop of the last minutes that are long enough to be logged, oldest first. */
  recentStalls(): readonly RecentStall[] {
    const since = Date.now() - nowMinutes * 60_000;
    return this.#recentStalls.filter(({ at }) => at.getTime() >= since);
  }

  countShed(): void {
    this.#shed.inc();
  }

  observeRequest(operation: string, status: number, seconds: number): void {
    this.#requests.observe({ operation, status: String(status) }, seconds);
    this.recentRequests.observe(operation, seconds);
  }

  countProblem(code: string): void {
    this.#refused.inc({ code });
  }

  countRedactions(found: FoundSecrets): void {
    for (const [label, count] of Object.entries(found)) this.#redactions.inc({ label }, count);
  }

  countBlocked(way: 'write' | 'read', category: ScanCategory): void {
    this.#blocked.inc({ way, category });
  }

  countToolCall(tool: string, outcome: string): void {
    this.#toolCalls.inc({ tool, outcome });
  }

  /** Adds a gauge that is read on every scrape. Its value is NaN if reading fails. */
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

  /** Adds a gauge with one value per label value, read on every scrape. It has no values if reading fails. */
  gaugeBy(label: string, name: string, help: string, read: () => Promise<ReadonlyMap<string, number>>): void {
    const gauge = new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [this.registry],
      async collect() {
        gauge.reset();
        const values = await read().catch(() => new Map<string, number>());
        for (const [of, value] of values) gauge.set({ [label]: of }, value);
      },
    });
  }
}
