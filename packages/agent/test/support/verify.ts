import { it } from 'vitest';
import { type RequirementId, requirements } from './requirements.js';

/** A test that shows one or several requirements to hold. Its name is what they say. */
export function verify(ids: RequirementId | readonly RequirementId[], body: () => void | Promise<void>): void {
  const list = typeof ids === 'string' ? [ids] : ids;
  it(list.map((id) => `${id}: ${requirements[id]}`).join('; '), body);
}
