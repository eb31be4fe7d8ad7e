import { type EpisodeRef, extractEpisode } from '../engine/conversations/extract-episode.js';
import { maxPatientTries } from '../engine/conversations/last-try.js';
import type { Queue } from '../ports/queue.js';
import type { Job } from './job.js';
import { readPayload } from './read-payload.js';

export const extractEpisodeJob: Job = {
  name: 'extract-episode',
  summary: 'Extracts facts worth remembering from a closed chat episode.',
  concurrency: 8,
  // An episode counts its own attempts. One more here ensures that it always uses up its own first.
  retry: { attempts: maxPatientTries + 1, firstPauseSeconds: 5 },
  async run({ engine }, payload, signal) {
    const episode = readPayload(payload, { required: ['tenantId', 'userId', 'eventId'] });
    await extractEpisode(engine, episode, signal);
    return {};
  },
};

export function enqueueEpisode(queue: Queue, { tenantId, userId, eventId }: EpisodeRef): Promise<boolean> {
  return queue.enqueue(extractEpisodeJob.name, { tenantId, userId, eventId }, { key: eventId });
}
