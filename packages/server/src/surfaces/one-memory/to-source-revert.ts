import type { Static } from 'typebox';
import { revertedDays } from '../../engine/governance/apply-retention.js';
import type { SourceRevert } from '../../ports/source-reverts.js';
import type { SourceRevertList } from './source-schemas.js';

export function toSourceRevert(revert: SourceRevert): Static<typeof SourceRevertList>['reverts'][number] {
  const { revertId, at, users, memories, facts } = revert;
  const purgeAt = new Date(at.getTime() + revertedDays * 86_400_000);
  return { revert_id: revertId, at: at.toISOString(), purge_at: purgeAt.toISOString(), users, memories, facts };
}
