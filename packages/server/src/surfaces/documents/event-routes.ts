import { type Json, Problem } from '@memhall/core';
import { type Static, Type } from 'typebox';
import type { Engine } from '../../engine/engine.js';
import { searchEvents } from '../../engine/events/search-events.js';
import { type NewEvent, writeEvent } from '../../engine/events/write-event.js';
import { toMoment } from '../../http/moment.js';
import { defineRoute } from '../../http/route.js';
import { Id, Moment, Timestamp } from '../../http/wire-schemas.js';
import { userOnlyParams } from './document-schemas.js';
import { serviceHeader, withService } from './shared-schemas.js';

const closed = { additionalProperties: false };
const Label = Type.String({ minLength: 1, maxLength: 128 });

const eventFields = {
  tenant_id: Type.Optional(Type.String({ description: 'If given, must be the same as in the path' })),
  user_id: Type.Optional(Type.String({ description: 'If given, must be the same as in the path' })),
  service_id: Type.Optional(Type.Union([Label, Type.Null()], { description: 'Default: the calling service' })),
  timestamp: Type.Optional(Moment),
  source_type: Type.Optional(Type.Union([Label, Type.Null()], { description: 'Kind of source, such as chat' })),
  digest: Type.String({ minLength: 1, maxLength: 20_000, description: 'Short description of what happened' }),
  keywords: Type.Optional(Type.Array(Label, { maxItems: 100 })),
  project_ids: Type.Optional(Type.Array(Label, { maxItems: 100 })),
  snapshot_uri: Type.Optional(Type.Union([Type.String({ maxLength: 2048 }), Type.Null()])),
  evidence: Type.Optional(
    Type.Union([Type.Object({}), Type.Null()], { description: 'References to the source of the event' }),
  ),
};

const EventInput = Type.Object(
  { event_id: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9._:@-]{1,128}$' })), ...eventFields },
  closed,
);
const eventBody = Type.Object({ event: EventInput }, closed);

const searchBody = Type.Object(
  {
    query: Type.Optional(Type.Union([Type.String({ maxLength: 20_000 }), Type.Null()])),
    service_id: Type.Optional(Type.Union([Label, Type.Null()])),
    source_type: Type.Optional(Type.Union([Label, Type.Null()])),
    project_id: Type.Optional(Type.Union([Label, Type.Null()])),
    from: Type.Optional(Type.Union([Moment, Type.Null()])),
    to: Type.Optional(Type.Union([Moment, Type.Null()])),
    top_k: Type.Integer({ minimum: 1, maximum: 100, default: 10 }),
  },
  closed,
);

const EventResult = Type.Object(
  {
    event_id: Type.String(),
    tenant_id: Id,
    user_id: Id,
    service_id: Type.Union([Type.String(), Type.Null()]),
    timestamp: Timestamp,
    source_type: Type.Union([Type.String(), Type.Null()]),
    digest: Type.String(),
    keywords: Type.Array(Type.String()),
    project_ids: Type.Array(Type.String()),
    snapshot_uri: Type.Optional(Type.String()),
    evidence: Type.Optional(Type.Unknown()),
    score: Type.Number({ description: '0 to 1. Always 1 without a query.' }),
  },
  { title: 'Event' },
);

export const eventRoutes = [
  defineRoute({
    operation: 'events.write',
    method: 'POST',
    path: '/v1/tenants/{tenant_id}/users/{user_id}/events',
    summary: 'Store an event, or replace the event with the same id.',
    access: 'user',
    request: { params: userOnlyParams, headers: Type.Object(serviceHeader), body: eventBody },
    responses: {
      202: { description: 'Stored. Searches find it immediately.', schema: Type.Object({ event_id: Type.String() }) },
    },
    problems: ['INVALID_EVENT', 'SCOPE_MISMATCH'],
    faultCodes: { event: 'INVALID_EVENT' },
    async handle(engine: Engine, { caller, params, headers, body }) {
      checkScope(params, body.event);
      const writer = withService(caller, headers);
      const event = await writeEvent(
        engine,
        writer,
        toNewEvent(body.event, writer.actor.serviceId, engine.clock.now()),
      );
      return { body: { event_id: event.event_id } };
    },
  }),
  defineRoute({
    operation: 'events.search',
    method: 'POST',
    path: '/v1/tenants/{tenant_id}/users/{user_id}/events:search',
    summary: 'Search events by words and meaning or, without a query, list the newest that match the filters.',
    access: 'user',
    request: { params: userOnlyParams, body: searchBody },
    responses: {
      200: {
        description: 'Best match first; without a query, newest first',
        schema: Type.Object({ results: Type.Array(EventResult) }),
      },
    },
    async handle(engine: Engine, { caller, body }) {
      const to = toMoment('to', body.to ?? undefined);
      const found = await searchEvents(engine, caller, {
        query: body.query?.trim() ? body.query : undefined,
        serviceId: body.service_id ?? undefined,
        sourceType: body.source_type ?? undefined,
        projectId: body.project_id ?? undefined,
        from: toMoment('from', body.from ?? undefined),
        to: to && new Date(to.getTime() + 1),
        limit: body.top_k,
      });
      return { body: { results: found.map(({ event, score }) => ({ ...event, score })) } };
    },
  }),
];

type Named = { tenant_id?: string | undefined; user_id?: string | undefined };

function checkScope(path: Named, event: Named): void {
  for (const name of ['tenant_id', 'user_id'] as const) {
    if (event[name] !== undefined && event[name] !== path[name]) {
      throw new Problem('SCOPE_MISMATCH', `event.${name} must be the same as in the path.`, {
        details: { field: name },
      });
    }
  }
}

function toNewEvent(event: Static<typeof EventInput>, serviceId: string | null, now: Date): NewEvent {
  const digest = event.digest.normalize('NFC');
  if (!/\S/u.test(digest))
    throw new Problem('INVALID_EVENT', 'The digest must not be blank.', { details: { pointer: '/event/digest' } });
  return {
    event_id: event.event_id,
    service_id: event.service_id ?? serviceId,
    timestamp: (toEventMoment(event.timestamp) ?? now).toISOString(),
    source_type: event.source_type ?? null,
    digest,
    keywords: event.keywords ?? [],
    project_ids: event.project_ids ?? [],
    ...(event.snapshot_uri == null ? {} : { snapshot_uri: event.snapshot_uri }),
    ...(event.evidence == null ? {} : { evidence: event.evidence as Json }),
  };
}

function toEventMoment(timestamp: string | undefined): Date | undefined {
  try {
    return toMoment('timestamp', timestamp);
  } catch {
    throw new Problem('INVALID_EVENT', '"timestamp" is not an existing date and time.', {
      details: { pointer: '/event/timestamp' },
    });
  }
}
