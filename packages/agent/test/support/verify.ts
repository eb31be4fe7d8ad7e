import { it } from 'vitest';
import { type RequirementId, requirements } from './requirements.js';

/** Defines a test that verifies one or more requirements. Its name is their text. */
export function verify(ids: RequirementId | readonly RequirementId[], body: () => void | Promise<void>): void {
  const list = typeof ids === 'string' ? [ids] : ids;
  it(list.map((id) => `${id}: ${requirements[id]}`).join('; '), body);
}
