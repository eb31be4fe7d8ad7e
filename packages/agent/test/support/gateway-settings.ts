/** A unique value, so that everything the tests leave behind can be searched for it. */
export const userKey = 'uk_7Qd1vXo3Zr8sNeverToBeSeen';

export function gatewaySection(baseUrl: string, changes: Record<string, unknown> = {}) {
  return { baseUrl, userId: 'ann', userKey, scope: ['current_chat', 'resources'], ...changes };
}
