import { maxPatientTries } from '../engine/conversations/last-try.js';
import { giveUpReplay, type ReplayRef, replayConversation } from '../engine/conversations/replay-conversation.js';
import type { Queue } from '../ports/queue.js';
import type { Job } from './job.js';
import { readPayload } from './read-payload.js';

const fields = { required: ['tenantId', 'userId', 'replayId'] } as const;

export const replayJob: Job = {
  name: 'replay',
  summary: 'Extracts facts worth remembering from a conversation.',
  // Replays spend most of their time waiting for a model.
  concurrency: 8,
  // A replay counts its own attempts and ends as failed. One more here ensures that it always gets there.
  retry: { attempts: maxPatientTries + 1, firstPauseSeconds: 5 },
  async run({ engine }, payload, signal) {
    await replayConversation(engine, readPayload(payload, fields), signal);
    return {};
  },
  giveUp: ({ engine }, payload) => giveUpReplay(engine, readPayload(payload, fields)),
};

export function enqueueReplay(queue: Queue, { tenantId, userId, replayId }: ReplayRef): Promise<boolean> {
  return queue.enqueue(replayJob.name, { tenantId, userId, replayId }, { key: replayId });
}
