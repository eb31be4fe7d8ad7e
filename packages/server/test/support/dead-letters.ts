import { pino } from 'pino';
import { openDatabase } from '../../src/composition/open-database.js';
import { jobs, retryPolicies } from '../../src/jobs/jobs.js';
import type { JobPayload } from '../../src/ports/queue.js';
import { PgBossQueue } from '../../src/store/pg-boss-queue.js';
import { queueSchema } from '../../src/store/queue-schema.js';
import type { TestDatabase } from './databases.js';

/** Adds jobs beside a running server, as they are after their last attempt: attempts are minutes apart. Returns their ids. */
export async function addDeadLetters(
  database: TestDatabase,
  letters: readonly { job: string; payload: JobPayload }[],
): Promise<string[]> {
  const opened = await openDatabase(database.config(), pino({ level: 'silent' }), { shareRunning: true });
  try {
    const queue = new PgBossQueue(opened.pool, retryPolicies(jobs));
    for (const { job, payload } of letters) {
      await queue.enqueue(job, payload, { startAfter: new Date(Date.now() + 3_600_000) });
    }
    const { rows } = await opened.pool.query<{ id: string }>(
      `UPDATE ${queueSchema}.job SET state = 'failed', retry_count = retry_limit, started_on = now(), completed_on = now(),
         output = '{"type": "ExtractorError", "code": "unavailable"}'
       WHERE state = 'created' AND name = ANY ($1) AND start_after > now() RETURNING id`,
      [letters.map(({ job }) => job)],
    );
    return rows.map(({ id }) => id);
  } finally {
    await opened.close();
  }
}
