import type { Static } from 'typebox';
import type { RetentionReport } from '../../engine/governance/apply-retention.js';
import type { CheckedReceipt } from '../../engine/governance/check-receipt.js';
import type { FinishedReceipt } from '../../engine/governance/receipt.js';
import type { LegalHold } from '../../ports/legal-holds.js';
import type { RetentionCeilings } from '../../ports/retention.js';
import type { ceilingsBody } from './erasure-schemas.js';

export function toRetentionAnswer(report: RetentionReport) {
  const { snapshots, events, audit, resources } = report.cutoffs;
  return {
    events_deleted: report.eventsDeleted,
    audit_deleted: report.auditDeleted,
    snapshots_deleted: report.snapshotsDeleted,
    search_documents_deleted: report.searchDocumentsDeleted,
    resources_deleted: report.resourcesDeleted,
    cutoffs: {
      snapshots: snapshots?.toISOString() ?? null,
      events: events?.toISOString() ?? null,
      audit: audit?.toISOString() ?? null,
      resources: resources?.toISOString() ?? null,
    },
    held_users: report.heldUsers,
  };
}

export function fromCeilings(body: Static<typeof ceilingsBody>): RetentionCeilings {
  return {
    snapshots: body.snapshots_days ?? null,
    events: body.events_days ?? null,
    audit: body.audit_days ?? null,
    resources: body.resources_days ?? null,
  };
}

export function toCeilings({ snapshots, events, audit, resources }: RetentionCeilings) {
  return { snapshots_days: snapshots, events_days: events, audit_days: audit, resources_days: resources };
}

function toReceipt(tenantId: string, { id, userId, finishedAt, counts, hash }: FinishedReceipt) {
  return { id, tenant_id: tenantId, user_id: userId, time: finishedAt.toISOString(), counts, hash };
}

export function toErasureAnswer(tenantId: string, receipt: FinishedReceipt) {
  return { counts: receipt.counts, receipt: toReceipt(tenantId, receipt) };
}

export function toCheckedReceipt(tenantId: string, { receipt, remaining, newer, isVerified }: CheckedReceipt) {
  return { receipt: toReceipt(tenantId, receipt), remaining, newer, verified: isVerified };
}

export function toHold({ name, userIds, reason, createdAt, updatedAt }: LegalHold) {
  return {
    name,
    ...(userIds === null ? {} : { user_ids: userIds }),
    reason,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}
