import type { QuarantineEntry } from '../../engine/tiers/quarantine-decisions.js';
import { workspaceOf } from '../../ports/owners.js';

export function toQuarantineEntry(found: QuarantineEntry) {
  const { updatedBy, version, etag } = found.origin;
  return {
    quarantine_id: found.id,
    workspace_id: workspaceOf(found.userId) ?? found.userId,
    owner: found.owner,
    label: found.label,
    category: found.category,
    rule: found.rule,
    sha256: found.contentHash,
    status: found.status,
    origin: { updated_by: updatedBy, version, etag },
    created_at: found.createdAt.toISOString(),
    updated_at: found.updatedAt.toISOString(),
  };
}
