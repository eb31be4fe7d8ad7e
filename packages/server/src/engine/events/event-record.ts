import { createHash } from 'node:crypto';
import { canonicalJson, isId, type Json } from '@memhall/core';
import type { EventRecord } from '../../ports/artifact-bodies.js';
import type { Artifact } from '../../ports/artifacts.js';
import type { ChatPlace } from '../../ports/episodes.js';
import type { Memory } from '../../ports/memories.js';
import type { MemoryOrigin } from '../../ports/memory-origin.js';
import { toChatColumns } from '../memories/chat-columns.js';
import type { MemoryKind } from '../memories/kinds.js';
import type { NewMemory } from '../memories/new-memory.js';

export const eventKind = 'event' satisfies MemoryKind;

export function eventTarget(eventId: string): string {
  return `events/${eventId}`;
}

/** Returns the artifact to store. `present` is the stored one with the same id, if any. */
export function toEventArtifact(event: EventRecord, present: Artifact | undefined, now: Date): Artifact<'event'> {
  const version = (present?.version ?? 0) + 1;
  const text = canonicalJson(event);
  return {
    kind: 'event',
    folder: '',
    name: event.event_id,
    version,
    etag: createHash('sha256').update(`${version}\n${text}`).digest('base64url').slice(0, 27),
    body: event,
    sizeChars: text.length,
    outerTag: null,
    occurredAt: new Date(event.timestamp),
    createdAt: present?.createdAt ?? now,
    updatedAt: now,
  };
}

export function fromEventArtifact({ body }: Artifact<'event'>): EventRecord {
  return body;
}

/** Returns the id of the event that a memory of kind `event` is derived from. */
export function eventIdOf({ externalId }: Memory): string {
  return externalId ?? '';
}

/**
 * Returns the origin of a memory that is rebuilt from an event whose first one is lost. The event does not say what it was
 * derived from: nobody is known to have written it, and it is trusted as an agent's.
 */
export function rebuiltOrigin(event: EventRecord): MemoryOrigin {
  const isOfChat = event.service_id === null && chatPlaceOf(event) !== undefined;
  return { surface: isOfChat ? 'gateway' : 'documents', author: event.service_id ?? '', trust: 'agent' };
}

/** Returns the chat that an event is about, if its evidence names one. */
function chatPlaceOf({ evidence }: Pick<EventRecord, 'evidence'>): ChatPlace | undefined {
  if (evidence === undefined || evidence === null || typeof evidence !== 'object' || Array.isArray(evidence))
    return undefined;
  const { session_id: sessionId, app_id: appId, project_id: projectId } = evidence;
  if (!isSessionId(sessionId) || !isId(appId) || !isId(projectId)) return undefined;
  return { sessionId, appId, projectId };
}

function isSessionId(value: Json | undefined): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9._:@-]{1,256}$/.test(value);
}

/**
 * Returns the memory by which recall finds an event. Apart from its origin it is derived from the artifact alone, so it can
 * always be rebuilt.
 */
export function toEventMemory(event: EventRecord, createdAt: Date, derivedFrom?: MemoryOrigin): NewMemory {
  const chat = chatPlaceOf(event);
  const cue = [...event.keywords, ...event.project_ids].join(' ');
  return {
    kind: eventKind,
    content: event.digest,
    cue: cue.trim() === '' ? undefined : cue,
    externalId: event.event_id,
    tags: event.project_ids,
    source: event.service_id ?? undefined,
    ...(chat && toChatColumns(chat)),
    metadata: event.source_type === null ? {} : { source_type: event.source_type },
    occurredAt: new Date(event.timestamp),
    createdAt,
    derivedFrom,
  };
}
