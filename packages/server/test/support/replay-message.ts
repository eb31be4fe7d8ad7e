import type { Caller } from '../../src/engine/caller.js';
import { type ReplayRef, replayConversation } from '../../src/engine/conversations/replay-conversation.js';
import { takeSnapshot } from '../../src/engine/conversations/take-snapshot.js';
import type { Engine } from '../../src/engine/engine.js';

interface ReplayOptions {
  profileId?: string;
  /** When the message was sent. */
  timestamp?: string;
  /** Runs after the extractor has read the message, before anything is written. */
  meanwhile?: () => Promise<unknown>;
  /** Replays the snapshot. */
  replay?: (engine: Engine, ref: ReplayRef) => Promise<void>;
}

/** Takes a snapshot of a conversation with one message and replays it at once. */
export async function replayMessage(
  engine: Engine,
  caller: Caller,
  content: string,
  {
    profileId = 'project-copilot-v1',
    timestamp = '2026-03-02T10:00:00Z',
    meanwhile = async () => undefined,
    replay = replayConversation,
  }: ReplayOptions = {},
): Promise<ReplayRef> {
  const { extractor } = engine;
  if (extractor === null) throw new Error('there is no extractor');
  const messages = [{ id: 'm1', role: 'user' as const, content, timestamp }];
  const input = { conversationId: 'c1', profileId, messages, replay: true };
  const { replayId } = await takeSnapshot({ ...engine, onReplayQueued: () => undefined }, caller, input);
  const beside: Engine = {
    ...engine,
    extractor: {
      ...extractor,
      async extract(...input) {
        const answer = await extractor.extract(...input);
        await meanwhile();
        return answer;
      },
    },
  };
  const ref = { tenantId: caller.tenantId, userId: caller.userId, replayId: replayId ?? '' };
  await replay(beside, ref);
  return ref;
}
