import type { DocumentBody } from '../../ports/artifact-bodies.js';
import type { Artifact } from '../../ports/artifacts.js';
import type { Memory } from '../../ports/memories.js';
import type { QuarantinedText } from '../../ports/quarantine.js';
import { type Caller, scopeOf } from '../caller.js';
import { fromArtifact } from '../documents/governed-document.js';
import type { Engine } from '../engine.js';
import { toText } from '../text-lines.js';
import { indexedPieces } from './tier-index.js';
import type { TierPlace } from './tier-place.js';

/** A tier's text and its related data at one moment. */
export interface TierState {
  /** undefined if the tier has no text. */
  artifact: Artifact<'document'> | undefined;
  text: string;
  /** All texts quarantined from this tier that were not deleted, including released ones. */
  kept: readonly QuarantinedText[];
  /** The pieces that are in the search index. */
  pieces: readonly Memory[];
}

export function readTierState(engine: Engine, caller: Caller, place: TierPlace): Promise<TierState> {
  const key = { kind: 'document', folder: place.namespace, name: place.path } as const;
  return engine.store.read(scopeOf(caller), async (tables) => {
    const [artifact, kept, pieces] = await Promise.all([
      tables.artifacts.get(key),
      tables.quarantine.at(place),
      indexedPieces(tables, caller, place, engine.clock.now()),
    ]);
    return { artifact, text: artifact === undefined ? '' : textOf(artifact), kept, pieces };
  });
}

function textOf(artifact: Artifact<'document'>): string {
  const body: Partial<DocumentBody> = fromArtifact(artifact).body;
  return toText(body.content);
}
