/** How the audit log names a plan's working memory, or one value of it. */
export function workingTarget(planId: string, key?: string): string {
  return key === undefined ? `working/${planId}` : `working/${planId}/${key}`;
}
