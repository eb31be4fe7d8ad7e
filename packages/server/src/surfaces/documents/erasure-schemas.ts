import { Type } from 'typebox';
import { Id, Moment, nextCursor, pageQuery, Timestamp } from '../../http/wire-schemas.js';
import { tenantParams } from './shared-schemas.js';

const closed = { additionalProperties: false };
const Days = Type.Union([Type.Integer({ minimum: 1, maximum: 36_500 }), Type.Null()]);

export const tenantOnlyParams = Type.Object(tenantParams);
export const receiptParams = Type.Object({ ...tenantParams, receipt_id: Id });
export const holdParams = Type.Object({ ...tenantParams, name: Id });
export const holdListQuery = Type.Object(pageQuery, closed);

export const retentionBody = Type.Object(
  {
    profile_id: Id,
    as_of: Type.Optional(
      Type.Union([Moment, Type.Null()], { description: 'Ages are computed relative to this time. Default: now.' }),
    ),
  },
  closed,
);

const Cutoff = Type.Union([Timestamp, Type.Null()]);

export const RetentionAnswer = Type.Object(
  {
    events_deleted: Type.Integer(),
    audit_deleted: Type.Integer(),
    snapshots_deleted: Type.Integer(),
    search_documents_deleted: Type.Integer(),
    resources_deleted: Type.Integer({ description: 'Uploaded files, including the memories created from them' }),
    cutoffs: Type.Object(
      { snapshots: Cutoff, events: Cutoff, audit: Cutoff, resources: Cutoff },
      { description: 'Everything older was deleted. null: no rule, nothing was deleted' },
    ),
    held_users: Type.Array(Type.String(), { description: 'Skipped because of a legal hold' }),
  },
  { title: 'RetentionAnswer' },
);

export const ceilingsBody = Type.Object(
  {
    snapshots_days: Type.Optional(Days),
    events_days: Type.Optional(Days),
    audit_days: Type.Optional(Days),
    resources_days: Type.Optional(Days),
  },
  { ...closed, description: 'Replaces all ceilings. An absent or null ceiling means no limit.' },
);

export const Ceilings = Type.Object(
  { snapshots_days: Days, events_days: Days, audit_days: Days, resources_days: Days },
  { title: 'RetentionCeilings' },
);

const Counts = Type.Record(Type.String(), Type.Integer(), { description: 'Number of erased records by kind' });

export const ForgetPreview = Type.Object(
  {
    counts: Counts,
    legal_holds: Type.Array(Type.String(), { description: 'Names. Not empty: nothing can be erased' }),
  },
  { title: 'ForgetPreview' },
);

const Receipt = Type.Object(
  {
    id: Type.String(),
    tenant_id: Id,
    user_id: Type.Union([Type.String(), Type.Null()], {
      description: 'The erased user, or `workspace/` and the id of an erased workspace; null: the whole tenant',
    }),
    time: Timestamp,
    counts: Counts,
    hash: Type.String({ description: 'SHA-256 of the canonical JSON of the other fields' }),
  },
  { title: 'Receipt' },
);

export const ErasureAnswer = Type.Object({ counts: Counts, receipt: Receipt }, { title: 'ErasureAnswer' });

export const CheckedReceipt = Type.Object(
  {
    receipt: Receipt,
    remaining: Type.Record(Type.String(), Type.Integer(), {
      description: 'Records older than the receipt that still exist, by kind',
    }),
    newer: Type.Record(Type.String(), Type.Integer(), { description: 'Records stored after the erasure, by kind' }),
    verified: Type.Boolean({ description: 'Whether nothing remains and the receipt is unaltered' }),
  },
  { title: 'CheckedReceipt' },
);

export const holdBody = Type.Object(
  {
    user_ids: Type.Optional(
      Type.Union([Type.Array(Id, { minItems: 1, maxItems: 5000 }), Type.Null()], {
        description: 'Absent: every user of the tenant',
      }),
    ),
    reason: Type.String({ minLength: 1, maxLength: 2000, pattern: '\\S' }),
  },
  closed,
);

export const Hold = Type.Object(
  {
    name: Id,
    user_ids: Type.Optional(Type.Array(Id, { description: 'Absent: every user of the tenant' })),
    reason: Type.String(),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'LegalHold' },
);

export const HoldList = Type.Object(
  { legal_holds: Type.Array(Hold), next_cursor: nextCursor },
  { title: 'LegalHoldList' },
);
