import type { ChatPlace } from '../../ports/episodes.js';
import {
  type ConversationDigest,
  type ConversationMessage,
  type Extraction,
  maxDigestLength,
} from '../../ports/extractor.js';
import type { Memory } from '../../ports/memories.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import type { NewEvent } from '../events/write-event.js';
import type { LearnedFact } from './learned-facts.js';
import { knownAttributes } from './proposed-lessons.js';

/** Runs the extractor on an episode. Secrets were removed from its messages when they were stored. */
export async function readEpisode(
  engine: Engine,
  caller: Caller,
  messages: readonly Memory[],
  known: readonly LearnedFact[],
  signal?: AbortSignal,
): Promise<Extraction> {
  const { extractor } = engine;
  if (extractor === null) return { digest: null, facts: [], confirmed: [] };
  const attributes = [...(await knownAttributes(engine, caller)).keys()];
  const input = {
    messages: messages.map(toConversationMessage),
    known: known.map(({ kind, text }) => ({ kind, text })),
    attributes,
  };
  return extractor.extract(input, { signal });
}

function toConversationMessage({ id, role, content, occurredAt }: Memory): ConversationMessage {
  const speaker = role === 'assistant' || role === 'tool' ? role : 'user';
  return { id, role: speaker, content, timestamp: occurredAt.toISOString() };
}

/** Returns the event that describes a whole episode. Without a digest, it is described by its beginning. */
export function toEpisodeEvent(
  eventId: string,
  place: ChatPlace,
  messages: readonly Memory[],
  digest: ConversationDigest | null,
): NewEvent {
  return {
    event_id: eventId,
    service_id: null,
    timestamp: (messages.at(-1)?.occurredAt ?? new Date()).toISOString(),
    source_type: 'conversation',
    digest: digest?.text ?? beginningOf(messages),
    keywords: digest?.keywords ?? [],
    project_ids: [place.projectId],
    evidence: {
      session_id: place.sessionId,
      app_id: place.appId,
      project_id: place.projectId,
      message_ids: messages.map(({ id }) => id),
    },
  };
}

function beginningOf(messages: readonly Memory[]): string {
  const first = messages.find(({ role }) => role === 'user') ?? messages[0];
  const line = (first?.content ?? '').replaceAll(/\s+/gu, ' ').trim();
  return line.length <= maxDigestLength ? line : `${line.slice(0, maxDigestLength - 1).toWellFormed()}…`;
}
