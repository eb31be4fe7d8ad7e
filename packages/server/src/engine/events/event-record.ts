import { createHash } from 'node:crypto';
import { canonicalJson, isId, type Json } from '@memhall/core';
import type { Artifact } from '../../ports/artifacts.js';
import type { ChatPlace } from '../../ports/episodes.js';
import type { NewMemory } from '../memories/new-memory.js';

/** A short description of what happened, with pointers to the full text. */
export interface EventRecord {
  event_id: string;
  tenant_id: string;
  user_id: string;
  service_id: string | null;
  timestamp: string;
  source_type: string | null;
  digest: string;
  keywords: string[];
  project_ids: string[];
  snapshot_uri?: string;
  evidence?: Json;
}

export const eventKind = 'event';

export function eventTarget(eventId: string): string {
  return `events/${eventId}`;
}

/** Returns the artifact to store. `present` is the stored one with the same id, if any. */
export function toEventArtifact(event: EventRecord, present: Artifact | undefined, now: Date): Artifact {
  const version = (present?.version ?? 0) + 1;
  const body = { ...event } as Artifact['body'];
  const text = canonicalJson(body);
  return {
    kind: 'event',
    folder: '',
    name: event.event_id,
    version,
    etag: createHash('sha256').update(`${version}\n${text}`).digest('base64url').slice(0, 27),
    body,
    sizeChars: text.length,
    outerTag: null,
    occurredAt: new Date(event.timestamp),
    createdAt: present?.createdAt ?? now,
    updatedAt: now,
  };
}

export function fromEventArtifact({ body }: Artifact): EventRecord {
  return body as unknown as EventRecord;
}

/** Returns the chat that an event is about, if its evidence names one. */
export function chatPlaceOf({ evidence }: Pick<EventRecord, 'evidence'>): ChatPlace | undefined {
  if (evidence === undefined || evidence === null || typeof evidence !== 'object' || Array.isArray(evidence))
    return undefined;
  const { session_id: sessionId, app_id: appId, project_id: projectId } = evidence;
  if (!isSessionId(sessionId) || !isId(appId) || !isId(projectId)) return undefined;
  return { sessionId, appId, projectId };
}

function isSessionId(value: Json | undefined): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9._:@-]{1,256}$/.test(value);
}

/** Returns the memory by which recall finds an event. It is derived from the artifact alone, so it can always be rebuilt. */
export function toEventMemory(event: EventRecord, createdAt: Date): NewMemory {
  const chat = chatPlaceOf(event);
  const cue = [...event.keywords, ...event.project_ids].join(' ');
  return {
    kind: eventKind,
    content: event.digest,
    cue: cue.trim() === '' ? undefined : cue,
    externalId: event.event_id,
    tags: event.project_ids,
    source: event.service_id ?? undefined,
    sessionId: chat?.sessionId,
    agentId: chat?.appId,
    planId: chat?.projectId,
    metadata: event.source_type === null ? {} : { source_type: event.source_type },
    occurredAt: new Date(event.timestamp),
    createdAt,
  };
}
