interface Actor {
  userId: string | null;
  serviceId: string | null;
  roles: readonly string[];
  isService?: boolean | undefined;
}

/**
 * Returns the name of who writes to the data of a user: the holder of the token. A service with a token in the name of that very user writes
 * in its own name, because these are not the user's words; `''` is nobody.
 */
export function writerOf({ userId, serviceId, roles, isService = false }: Actor, ownerId: string): string {
  const speaksFor = serviceId !== null && userId === ownerId && (isService || roles.includes('service'));
  return speaksFor ? serviceId : (userId ?? serviceId ?? '');
}
