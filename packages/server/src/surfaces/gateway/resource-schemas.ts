import { idPattern } from '@memhall/core';
import { type Static, Type } from 'typebox';
import { nextCursor, pageQuery, Timestamp } from '../../http/wire-schemas.js';
import { readFailures } from '../../ports/file-reader.js';
import { identityFields, placeFields } from './gateway-schemas.js';

const closed = { additionalProperties: false };

/** Form fields other than the file. */
export const uploadBody = Type.Object(
  {
    ...identityFields,
    title: Type.Optional(Type.String({ maxLength: 1000 })),
    description: Type.Optional(Type.String({ maxLength: 20_000 })),
    ...placeFields,
  },
  closed,
);

const Status = Type.Enum(['extracted', 'failed']);
const Reason = Type.Optional(
  Type.Enum([...readFailures, 'off_the_record'], {
    description: 'Why it failed. off_the_record: it was not stored at all, as the call asked',
  }),
);

export const Uploaded = Type.Object({
  resource_id: Type.String(),
  session_id: Type.String(),
  uri: Type.String(),
  status: Status,
  reason: Reason,
  chunks: Type.Integer({ description: 'Number of memories created from the file' }),
});

const ResourceEntry = Type.Object(
  {
    resource_id: Type.String(),
    session_id: Type.String(),
    uri: Type.String(),
    status: Status,
    reason: Reason,
    chunks: Type.Integer(),
    title: Type.Union([Type.String(), Type.Null()]),
    description: Type.Union([Type.String(), Type.Null()]),
    file_name: Type.Union([Type.String(), Type.Null()]),
    media_type: Type.String({ description: 'Detected from the content' }),
    size_bytes: Type.Integer(),
    app_id: Type.String(),
    project_id: Type.String(),
    created_at: Timestamp,
  },
  { title: 'GatewayResource' },
);

export const ResourceList = Type.Object({ resources: Type.Array(ResourceEntry), next_cursor: nextCursor });

const narrowing = {
  app_id: Type.Optional(Type.String({ pattern: idPattern, description: 'List only resources of this app' })),
  project_id: Type.Optional(Type.String({ pattern: idPattern, description: 'List only resources of this project' })),
};

export const listBody = Type.Object({ ...identityFields, ...narrowing, ...pageQuery }, closed);

export const resourceBody = Type.Object(
  { ...identityFields, ...placeFields, resource_id: Type.String({ minLength: 1, maxLength: 256 }) },
  closed,
);

export type ResourceShape = Static<typeof ResourceEntry>;
