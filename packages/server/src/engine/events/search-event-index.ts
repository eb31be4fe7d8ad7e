import type { Artifact } from '../../ports/artifacts.js';
import { EventIndexError, type EventIndexSearch } from '../../ports/event-index.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { settledSince } from './index-events.js';

interface FoundArtifact {
  artifact: Artifact<'event'>;
  score: number;
}

/**
 * Searches the outer index, and reads what it finds from the store: the index decides about nothing but relevance. Returns
 * undefined if there is no index, it does not respond, or it lacks events of the user.
 */
export async function searchEventIndex(
  engine: Engine,
  caller: Caller,
  search: EventIndexSearch,
): Promise<FoundArtifact[] | undefined> {
  const { eventIndex: index, store, telemetry } = engine;
  if (index === null) return undefined;
  const scope = scopeOf(caller);
  const settled = settledSince(engine);
  if (await store.read(scope, (tables) => tables.unindexedEvents.isBehind(settled))) {
    telemetry.countEventIndexFallback('behind');
    return undefined;
  }
  try {
    const hits = await index.search(caller, search);
    const ids = hits.map(({ eventId }) => eventId);
    const artifacts = await store.read(scope, (tables) => tables.artifacts.getMany('event', '', ids));
    const byEtag = new Map(artifacts.map((artifact) => [`${artifact.name}\n${artifact.etag}`, artifact]));
    return hits.flatMap(({ eventId, etag, score }) => {
      const artifact = byEtag.get(`${eventId}\n${etag}`);
      return artifact === undefined ? [] : [{ artifact, score }];
    });
  } catch (error) {
    if (!(error instanceof EventIndexError)) throw error;
    telemetry.countEventIndexFallback('unavailable');
    engine.onFault(error, 'searching the index of events');
    return undefined;
  }
}
