/** Looks like nothing else, so that it can be searched for in everything the tests leave behind. */
export const userKey = 'uk_7Qd1vXo3Zr8sNeverToBeSeen';

export function gatewaySection(baseUrl: string, changes: Record<string, unknown> = {}) {
  return { baseUrl, userId: 'ann', userKey, scope: ['current_chat', 'resources'], ...changes };
}
