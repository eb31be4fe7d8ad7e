import { afterAll, afterEach, beforeAll } from 'vitest';
import type { RunningEngine } from '../../src/composition/start-engine.js';
import type { Caller } from '../../src/engine/caller.js';
import type { Engine } from '../../src/engine/engine.js';
import { searchEvents } from '../../src/engine/events/search-events.js';
import { type NewEvent, writeEvent } from '../../src/engine/events/write-event.js';
import { indexEventsJob } from '../../src/jobs/index-events-job.js';
import { AzureSearchStandIn } from './azure-search-stand-in.js';
import { useManagedIdentity } from './managed-identity-stand-in.js';

/** Starts a stand-in for Azure AI Search for all suites of a file, as the managed identity of this process sees it. */
export function useSearchService(): AzureSearchStandIn {
  const service = new AzureSearchStandIn();
  useManagedIdentity();
  beforeAll(() => service.start());
  afterEach(() => {
    service.state = 'ok';
    service.onBatch = async () => undefined;
    service.refuses = () => false;
    service.lags = false;
  });
  afterAll(() => service.stop());
  return service;
}

type Search = Omit<Parameters<typeof searchEvents>[2], 'limit'>;

/** What tests do with an engine whose events are in an outer index. */
export class IndexedEngine {
  readonly fallbacks: string[] = [];
  readonly faults: unknown[] = [];
  readonly engine: Engine;
  readonly #running: RunningEngine;

  constructor(running: RunningEngine) {
    this.#running = running;
    const { engine } = running;
    this.engine = {
      ...engine,
      telemetry: { ...engine.telemetry, countEventIndexFallback: (reason) => this.fallbacks.push(reason) },
      onFault: (error) => this.faults.push(error),
    };
  }

  tell(caller: Caller, eventId: string, digest: string, rest: Partial<NewEvent> = {}) {
    return writeEvent(this.engine, caller, {
      event_id: eventId,
      timestamp: '2026-02-01T00:00:00.000Z',
      digest,
      service_id: null,
      source_type: null,
      keywords: [],
      project_ids: [],
      ...rest,
    });
  }

  /** Runs the job that brings events to the index. */
  index(): Promise<unknown> {
    return indexEventsJob.run({ ...this.#running.jobContext, engine: this.engine }, {}, new AbortController().signal);
  }

  /** Searches as if this time had passed. By default the index has had time to find what it was sent. */
  async search(
    caller: Caller,
    search: Search,
    laterMs = 60_000,
  ): Promise<{ id: string; digest: string; score: number }[]> {
    const clock = { now: () => new Date(Date.now() + laterMs) };
    const found = await searchEvents({ ...this.engine, clock }, caller, { ...search, limit: 50 });
    return found.map(({ event, score }) => ({ id: event.event_id, digest: event.digest, score }));
  }

  async ids(caller: Caller, search: Search): Promise<string[]> {
    return (await this.search(caller, search)).map(({ id }) => id);
  }
}
