import type { MemoryClient } from '@memhall/client';

/** The public methods of a client, so that the one of an installed `@memhall/client` fits too. */
export type MemoryCalls = Pick<MemoryClient, keyof MemoryClient>;
