import type { Partition } from '../../../ports/memories.js';
import { type Caller, scopeOf } from '../../caller.js';
import type { Engine } from '../../engine.js';
import { compareSigns, cosines, lackingSlots, mixSentences } from './cosines.js';
import type { ScopeRows } from './scan.js';

/** What is known of the rows' nearness to a query. Valid only as long as the rows do not change. */
interface NearVectors {
  /** Whether vectors that ranking needs have to be loaded first. */
  isLacking: boolean;
  load(caller: Caller, partitions: readonly Partition[]): Promise<void>;
  /** Whether no cosine is an estimate, so that all vectors are in memory. */
  isExact: boolean;
  /** Returns undefined without a query vector. The sentences of a message count only if no cosine is an estimate. */
  cosines(sentences: readonly Float32Array[], share: number): Float32Array | undefined;
}

export function nearVectors(
  { segments }: Pick<Engine, 'segments'>,
  scope: ScopeRows,
  vector: Float32Array | undefined,
): NearVectors {
  const nearness = vector && compareSigns(scope, vector, segments.estimates);
  const lacking = vector === undefined ? [] : lackingSlots(scope, nearness);
  return {
    isExact: vector !== undefined && nearness === undefined,
    isLacking: lacking.some((slots) => slots.length > 0),
    async load(caller, partitions) {
      await Promise.all(
        scope.parts.map(async ({ segment }, number) => {
          const [partition, slots = []] = [partitions[number], lacking[number]];
          if (partition !== undefined && slots.length > 0)
            await segments.loadVectors(scopeOf(caller), partition, segment, slots);
        }),
      );
    },
    cosines(sentences, share) {
      const whole = vector && cosines(scope, vector, nearness);
      return whole === undefined || nearness !== undefined ? whole : mixSentences(scope, whole, sentences, share);
    },
  };
}
