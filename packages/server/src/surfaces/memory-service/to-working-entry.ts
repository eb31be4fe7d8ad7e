import type { Static } from 'typebox';
import type { Page } from '../../engine/page.js';
import { toNextCursor } from '../../http/wire-schemas.js';
import type { WorkingValue } from '../../ports/working-values.js';
import type { WorkingEntry, WorkingList } from './working-schemas.js';

export function toWorkingEntry(value: WorkingValue): Static<typeof WorkingEntry> {
  return {
    plan_id: value.planId,
    key: value.key,
    value: value.value,
    created_at: value.createdAt.toISOString(),
    updated_at: value.updatedAt.toISOString(),
    ...(value.expiresAt === null ? {} : { expires_at: value.expiresAt.toISOString() }),
  };
}

export function toWorkingList(planId: string, page: Page<WorkingValue>): Static<typeof WorkingList> {
  return {
    plan_id: planId,
    entries: page.items.map(toWorkingEntry),
    count: page.items.length,
    ...toNextCursor(page.nextCursor),
  };
}
