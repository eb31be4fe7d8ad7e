import { takeLocks } from '../locks.js';
import type { Statements } from '../statements.js';

/** Waits for those who write to the same partitions, given by their keys. Revisions of a partition grow only while they take turns. Queued. */
export function lockPartitions(statements: Statements, tenantId: string, partitions: readonly string[]): void {
  takeLocks(
    statements,
    'partition',
    partitions.map((partition) => `${tenantId}\n${partition}`),
  );
}
