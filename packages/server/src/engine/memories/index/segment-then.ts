import { Problem } from '@memhall/core';
import type { Partition } from '../../../ports/memories.js';
import type { MemoryIndexThen } from '../../../ports/memory-index.js';
import { Segment } from './segment.js';

/** Rows per statement. */
const pageRows = 2000;
/** An earlier state is read for one recall and then dropped, so a large one is refused instead of holding up everybody else. */
const mostMemoriesThen = 50_000;

/** Reads a partition as it was. Throws INVALID_REQUEST if it had too many memories. */
export async function readSegmentThen(
  index: MemoryIndexThen,
  partition: Partition,
  model: { name: string; dimension: number } | null,
): Promise<Segment> {
  const segment = new Segment(model?.dimension ?? 0);
  for (;;) {
    const page = await index.changes(partition, { after: segment.upTo, limit: pageRows, signsOnly: false }, model);
    segment.apply(page);
    if (page.complete) return segment;
    if (segment.count > mostMemoriesThen) {
      throw new Problem(
        'INVALID_REQUEST',
        `"known_at" is possible for up to ${mostMemoriesThen} memories in one place, and there are more. Ask without it, or in other scopes.`,
      );
    }
  }
}
