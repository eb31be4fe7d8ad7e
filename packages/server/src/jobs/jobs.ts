import type { RetryPolicy } from '../ports/work-queue.js';
import { agreeDocumentsJob } from './agree-documents-job.js';
import { cleanUpStateJob } from './clean-up-state-job.js';
import { cleanUpUploadJob } from './clean-up-upload-job.js';
import { compactJob } from './compact-job.js';
import { copyAuditJob } from './copy-audit-job.js';
import { deliverWebhooksJob } from './deliver-webhooks-job.js';
import { expireMemoriesJob } from './expire-memories-job.js';
import { extractEpisodeJob } from './extract-episode-job.js';
import { fillOriginsJob } from './fill-origins-job.js';
import { indexDocumentsJob } from './index-documents-job.js';
import { indexEventsJob } from './index-events-job.js';
import { indexPartitionsJob } from './index-partitions-job.js';
import type { Job } from './job.js';
import { learnFactsJob } from './learn-facts-job.js';
import { refreshFormsJob } from './refresh-forms-job.js';
import { refreshStatisticsJob } from './refresh-statistics-job.js';
import { reindexEventsJob } from './reindex-events-job.js';
import { replayJob } from './replay-job.js';
import { retainJob } from './retain-job.js';
import { signHeadsJob } from './sign-heads-job.js';
import { sweepEpisodesJob } from './sweep-episodes-job.js';
import { sweepReplaysJob } from './sweep-replays-job.js';

/** All background jobs. */
export const jobs: readonly Job[] = [
  replayJob,
  sweepReplaysJob,
  extractEpisodeJob,
  sweepEpisodesJob,
  agreeDocumentsJob,
  refreshFormsJob,
  fillOriginsJob,
  learnFactsJob,
  expireMemoriesJob,
  cleanUpStateJob,
  refreshStatisticsJob,
  reindexEventsJob,
  indexDocumentsJob,
  indexEventsJob,
  indexPartitionsJob,
  compactJob,
  retainJob,
  copyAuditJob,
  signHeadsJob,
  deliverWebhooksJob,
  cleanUpUploadJob,
];

export const jobNames: readonly string[] = jobs.map(({ name }) => name);

export function retryPolicies(of: readonly Job[]): Map<string, RetryPolicy> {
  return new Map(of.map(({ name, retry }) => [name, retry]));
}
