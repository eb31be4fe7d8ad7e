import { performance } from 'node:perf_hooks';
import type { EventRecord } from '../../ports/artifact-bodies.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { recall } from '../memories/recall/recall.js';
import { eventIdOf, eventKind, fromEventArtifact } from './event-record.js';
import { searchEventIndex } from './search-event-index.js';

interface EventSearch {
  /** If missing, returns all events that match the filters, newest first. */
  query?: string | undefined;
  serviceId?: string | undefined;
  sourceType?: string | undefined;
  projectId?: string | undefined;
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
  limit: number;
}

interface FoundEvent {
  event: EventRecord;
  /** 0 … 1; always 1 without a query. */
  score: number;
}

export async function searchEvents(engine: Engine, caller: Caller, search: EventSearch): Promise<FoundEvent[]> {
  const startedMs = performance.now();
  const found = await (search.query === undefined
    ? newestEvents(engine, caller, search)
    : matchingEvents(engine, caller, search, search.query));
  engine.telemetry.observeEventSearch((performance.now() - startedMs) / 1000, found.length);
  return found;
}

async function matchingEvents(
  engine: Engine,
  caller: Caller,
  search: EventSearch,
  text: string,
): Promise<FoundEvent[]> {
  const indexed = await searchEventIndex(engine, caller, { ...search, text });
  if (indexed !== undefined)
    return indexed.map(({ artifact, score }) => ({ event: fromEventArtifact(artifact), score }));
  const { serviceId, sourceType, projectId, from, to, limit } = search;
  const results = await recall(engine, caller, {
    text,
    scope: { own: true },
    filter: {
      kinds: [eventKind],
      source: serviceId,
      tags: projectId === undefined ? undefined : [projectId],
      metadata: sourceType === undefined ? undefined : { source_type: sourceType },
      occurredFrom: from,
      occurredTo: to,
    },
    limit,
  });
  const ids = results.map(({ memory }) => eventIdOf(memory));
  const artifacts = await engine.store.read(scopeOf(caller), (tables) => tables.artifacts.getMany('event', '', ids));
  const byId = new Map(artifacts.map((artifact) => [artifact.name, fromEventArtifact(artifact)]));
  return results.flatMap(({ memory, score }) => {
    const event = byId.get(eventIdOf(memory));
    return event === undefined ? [] : [{ event, score }];
  });
}

async function newestEvents(
  engine: Engine,
  caller: Caller,
  { serviceId, sourceType, projectId, from, to, limit }: EventSearch,
): Promise<FoundEvent[]> {
  const members = {
    ...(serviceId === undefined ? {} : { service_id: serviceId }),
    ...(sourceType === undefined ? {} : { source_type: sourceType }),
  };
  const listed = projectId === undefined ? undefined : { member: 'project_ids', text: projectId };
  const artifacts = await engine.store.read(scopeOf(caller), (tables) =>
    tables.artifacts.newest('event', { from, to, members, listed }, limit),
  );
  return artifacts.map((artifact) => ({ event: fromEventArtifact(artifact), score: 1 }));
}
