import { createHash } from 'node:crypto';
import { Problem } from '@memhall/core';
import { indexPartition, tendLargePartitions } from '../engine/memories/recall/tend-large-partitions.js';
import { type Partition, partitionFromKey, partitionKey } from '../ports/memories.js';
import type { Queue } from '../ports/queue.js';
import type { Job } from './job.js';
import { readPayload } from './read-payload.js';

/** If the payload names a partition, that one is indexed first. */
export const indexPartitionsJob: Job = {
  name: 'index-partitions',
  summary: 'Creates and maintains the indexes of partitions that are too large to search in memory.',
  everySeconds: 60,
  concurrency: 1,
  retry: { attempts: 5, firstPauseSeconds: 10 },
  async run({ engine }, { partition, ...rest }, signal) {
    const { tenantId } = readPayload(rest, { optional: ['tenantId'] });
    if (partition !== undefined) {
      if (tenantId === undefined)
        throw new Problem('INVALID_REQUEST', 'The job requires tenantId together with partition.');
      await indexPartition(engine, tenantId, partitionFromKey(partition), signal);
    }
    await tendLargePartitions(engine, signal);
    return {};
  },
};

export function enqueueIndexing(queue: Queue, tenantId: string, partition: Partition): Promise<boolean> {
  const payload = { tenantId, partition: partitionKey(partition) };
  const key = createHash('sha256').update(`${tenantId}\n${payload.partition}`).digest('hex').slice(0, 32);
  return queue.enqueue(indexPartitionsJob.name, payload, { key });
}
