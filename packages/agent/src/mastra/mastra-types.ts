// biome-ignore-start lint/suspicious/noExplicitAny: messages of every version of Mastra
/** A message of Mastra, in the format that it stores. */
export interface MastraMessage {
  id: string;
  role: any;
  createdAt: Date;
  threadId?: string;
  resourceId?: string;
  type?: string;
  content: any;
}
// biome-ignore-end lint/suspicious/noExplicitAny: messages of every version of Mastra

export interface MastraThread {
  id: string;
  title?: string;
  resourceId: string;
  createdAt: Date;
  updatedAt: Date;
  metadata?: Record<string, unknown>;
}

export interface MastraResource {
  id: string;
  workingMemory?: string;
  metadata?: Record<string, unknown>;
  createdAt: Date;
  updatedAt: Date;
}

export interface Include {
  id: string;
  threadId?: string;
  withPreviousMessages?: number;
  withNextMessages?: number;
}

export interface MessageFilter {
  dateRange?: { start?: Date; end?: Date; startExclusive?: boolean; endExclusive?: boolean };
  metadata?: Record<string, unknown>;
}

export interface OrderBy<F extends string = 'createdAt' | 'updatedAt'> {
  field?: F;
  direction?: 'ASC' | 'DESC';
}

export interface Page<T> {
  items: T[];
  total: number;
  page: number;
  perPage: number | false;
  hasMore: boolean;
}

/** Cuts a page out of a list. A page of no items counts nothing, as in Mastra's own stores. */
export function toPage<T>(all: readonly T[], page: number, perPage: number | false): Page<T> {
  if (perPage === 0) return { items: [], total: 0, page, perPage, hasMore: false };
  const size = perPage === false ? all.length : perPage;
  const items = all.slice(page * size, (page + 1) * size);
  return { items, total: all.length, page, perPage, hasMore: page * size + items.length < all.length };
}
