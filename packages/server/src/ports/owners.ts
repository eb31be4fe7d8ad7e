/**
 * The owner of documents, memories and audit records is a user or a workspace. A user's owner id is the user id itself.
 * Ids contain no slash, so no user can be called like a workspace. The database relies on the prefix.
 */
const workspacePrefix = 'workspace/';

export function workspaceOwner(workspaceId: string): string {
  return `${workspacePrefix}${workspaceId}`;
}

/** Returns the id of the workspace that an owner is, or undefined if it is a user. */
export function workspaceOf(ownerId: string): string | undefined {
  return ownerId.startsWith(workspacePrefix) ? ownerId.slice(workspacePrefix.length) : undefined;
}
