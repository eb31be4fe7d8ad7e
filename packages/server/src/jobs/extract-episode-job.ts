import { type EpisodeRef, extractEpisode, giveUpEpisode } from '../engine/conversations/extract-episode.js';
import { maxPatientTries } from '../engine/conversations/last-try.js';
import type { Queue } from '../ports/queue.js';
import type { Job } from './job.js';
import { readPayload } from './read-payload.js';

const fields = { required: ['tenantId', 'userId', 'eventId'] } as const;

export const extractEpisodeJob: Job = {
  name: 'extract-episode',
  summary: 'Extracts facts worth remembering from a closed chat episode.',
  concurrency: 8,
  // An episode counts its own attempts. One more here ensures that it always uses up its own first.
  retry: { attempts: maxPatientTries + 1, firstPauseSeconds: 5 },
  async run({ engine }, payload, signal) {
    await extractEpisode(engine, readPayload(payload, fields), signal);
    return {};
  },
  giveUp: ({ engine }, payload) => giveUpEpisode(engine, readPayload(payload, fields)),
};

export function enqueueEpisode(queue: Queue, { tenantId, userId, eventId }: EpisodeRef): Promise<boolean> {
  return queue.enqueue(extractEpisodeJob.name, { tenantId, userId, eventId }, { key: eventId });
}
