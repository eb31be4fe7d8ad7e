import { fromTierPath } from '../../engine/tiers/tier-place.js';
import type { QuarantinedText } from '../../ports/quarantine.js';

/** Nothing of the text. */
export function toQuarantineEntry(found: Omit<QuarantinedText, 'text'>) {
  const { owner = '', label = found.path } = fromTierPath(found.path) ?? {};
  const { updatedBy, version, etag } = found.origin;
  return {
    quarantine_id: found.id,
    workspace_id: found.userId,
    owner,
    label,
    category: found.category,
    rule: found.rule,
    sha256: found.contentHash,
    status: found.status,
    origin: { updated_by: updatedBy, version, etag },
    created_at: found.createdAt.toISOString(),
    updated_at: found.updatedAt.toISOString(),
  };
}
