import type { FollowedChange } from '../../engine/changes/read-changes.js';

export function toChange({ cursor, at, operation, kind, id }: FollowedChange) {
  return { cursor, at: at.toISOString(), operation, kind, id };
}
