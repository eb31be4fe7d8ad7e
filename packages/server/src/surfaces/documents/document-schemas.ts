import { Type } from 'typebox';
import { timeFields } from '../../http/currency.js';
import { Id, Moment, nextCursor, pageQuery, Timestamp } from '../../http/wire-schemas.js';
import { userParams } from './shared-schemas.js';

const closed = { additionalProperties: false };

const reasons = ['live_update', 'replay_update', 'admin_migration', 'compaction'] as const;

export const documentParams = Type.Object({
  ...userParams,
  namespace: Id,
  path: Type.String({ minLength: 1, maxLength: 1024, description: 'Path of the document. Encode slashes as %2F.' }),
});
export const userOnlyParams = Type.Object(userParams);
export const tenantOnlyParams = Type.Object({ tenant_id: Id });
export const workspaceParams = Type.Object({ tenant_id: Id, workspace_id: Id });

export const documentQuery = Type.Object(
  {
    at: Type.Optional(Moment),
    ...timeFields,
    profile_id: Type.Optional(
      Type.String({ ...Id, description: 'Profile whose rules determine which facts are stale' }),
    ),
  },
  closed,
);
export const documentListQuery = Type.Object({ ...pageQuery, namespace: Type.Optional(Id) }, closed);
export const historyQuery = Type.Object(pageQuery, closed);

const anyObject = Type.Object({}, { additionalProperties: true });

const writeFields = {
  profile_id: Id,
  binding_id: Id,
  reason: Type.Enum(reasons),
  evidence: Type.Optional(
    Type.Union([anyObject, Type.Array(Type.Unknown())], { description: 'Evidence that the change is based on' }),
  ),
  confidence: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
};

const PatchOperation = Type.Object({
  op: Type.String(),
  path: Type.String(),
  value: Type.Optional(Type.Unknown({ description: 'Of add, replace and test' })),
  from: Type.Optional(Type.Unknown({ description: 'Of move and copy: a path' })),
});

const PatchOperations = Type.Array(PatchOperation, {
  description: 'RFC 6902 operations. Paths start with /content.',
});

export const patchBody = Type.Object({ ...writeFields, ops: PatchOperations }, closed);

export const replaceBody = Type.Object(
  {
    ...writeFields,
    document: Type.Object(
      {
        content: anyObject,
        schema_id: Type.Optional(Id),
        schema_version: Type.Optional(Id),
        doc_id: Type.Optional(Type.Unknown()),
        created_at: Type.Optional(Type.Unknown()),
        updated_at: Type.Optional(Type.Unknown()),
        updated_by: Type.Optional(Type.Unknown()),
      },
      { ...closed, description: 'Only `content` is used. The schema, if given, must be that of the binding.' },
    ),
  },
  closed,
);

export const DocumentEnvelope = Type.Object(
  {
    doc_id: Type.String(),
    schema_id: Type.String(),
    schema_version: Type.String(),
    created_at: Timestamp,
    updated_at: Timestamp,
    updated_by: Type.String(),
    content: Type.Unknown(),
  },
  { title: 'Document' },
);

export const StaleFacts = Type.Optional(
  Type.Array(
    Type.Object({
      path: Type.String({ description: 'JSON Pointer from the root of the document' }),
      since: Timestamp,
      reason: Type.Enum(['expired', 'stale_after', 'not_verified']),
    }),
    { description: 'Durable facts that should be confirmed before anyone relies on them; absent if there are none' },
  ),
);

const Etag = Type.String({ description: 'Same as the ETag header, including the quotes' });

export const DocumentAnswer = Type.Object(
  {
    etag: Etag,
    document: DocumentEnvelope,
    migrated_from: Type.Optional(Type.String({ description: 'Old path where the document was found' })),
    stale: StaleFacts,
  },
  { title: 'DocumentAnswer' },
);

export const WriteAnswer = Type.Object(
  {
    etag: Etag,
    document: DocumentEnvelope,
    idempotency_replay: Type.Boolean({
      description: 'Whether this is the stored response of an earlier request with the same Idempotency-Key',
    }),
    redirected: Type.Optional(
      Type.Boolean({ description: 'Whether the proposed facts were stored as pending confirmations instead' }),
    ),
    redacted: Type.Optional(Type.Boolean({ description: 'Whether secrets in the request were replaced' })),
  },
  { title: 'WriteAnswer' },
);

export const DocumentList = Type.Object(
  {
    documents: Type.Array(
      Type.Object({
        namespace: Id,
        path: Type.String(),
        etag: Etag,
        size_chars: Type.Integer({ description: 'Characters of the content as JSON' }),
        version: Type.Integer(),
        created_at: Timestamp,
        updated_at: Timestamp,
      }),
    ),
    next_cursor: nextCursor,
  },
  { title: 'DocumentList' },
);

/** A change of a document, as it was recorded. */
export const documentVersion = {
  version: Type.Integer(),
  etag: Type.Union([Etag, Type.Null()], { description: 'null: the document was deleted' }),
  pre_etag: Type.Union([Etag, Type.Null()]),
  at: Timestamp,
  actor: Type.Unknown(),
  profile_id: Type.String(),
  binding_id: Type.String(),
  reason: Type.String(),
  ops: Type.Array(Type.Unknown()),
  evidence: Type.Unknown(),
  confidence: Type.Union([Type.Number(), Type.Null()]),
  redirected: Type.Boolean(),
  request_id: Type.String(),
};

export const DocumentHistory = Type.Object(
  {
    versions: Type.Array(Type.Object(documentVersion), { description: 'Newest first' }),
    next_cursor: nextCursor,
  },
  { title: 'DocumentHistory' },
);
