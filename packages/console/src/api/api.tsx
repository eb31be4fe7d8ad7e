import { OneMemoryClient } from '@memhall/client/one-memory';
import {
  type CallInput,
  type CallResult,
  type OperationId,
  type Operations,
  OperationsClient,
} from '@memhall/client/operations';
import {
  keepPreviousData,
  type Query,
  type QueryClient,
  type UseMutationResult,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { Session } from '../session/session.js';

export interface Api {
  session: Session;
  /** Every call of the server by its operation id. */
  operations: OperationsClient;
  /** The part of the client that pages and streams. */
  memory: OneMemoryClient;
  signOut(): Promise<void>;
}

const ApiContext = createContext<Api | null>(null);

export function ApiProvider({
  session,
  signOut,
  children,
}: {
  session: Session;
  signOut(): Promise<void>;
  children: ReactNode;
}) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: signing out does the same, whichever render made it
  const api = useMemo(() => {
    const options = { baseUrl: window.location.origin, token: session.token };
    return { session, signOut, operations: new OperationsClient(options), memory: new OneMemoryClient(options) };
  }, [session]);
  return <ApiContext value={api}>{children}</ApiContext>;
}

export function useApi(): Api {
  const api = useContext(ApiContext);
  if (api === null) throw new Error('useApi is for components inside ApiProvider');
  return api;
}

export interface Acting {
  tenantId: string;
  /** Whose memory the pages show. */
  userId: string;
  /** Add it to bodies and queries that take `user_id`: empty if the user is the token's own. */
  onBehalf: { user_id?: string };
  isOther: boolean;
}

/** Returns the user whose memory is shown: `?user=` of the address, else the user of the token. The server decides whether it may be. */
export function useActing(): Acting {
  const { session } = useApi();
  const { user } = useSearch({ strict: false }) as { user?: string };
  const userId = user ?? session.user_id ?? '';
  const isOther = userId !== (session.user_id ?? '');
  return { tenantId: session.tenant_id, userId, isOther, onBehalf: isOther ? { user_id: userId } : {} };
}

export interface Rights {
  /** May read memory at all. Operators without another role may not. */
  memory: boolean;
  /** May act for other users of the tenant. */
  others: boolean;
  admin: boolean;
  operator: boolean;
}

/** What the roles of the token allow. Pages hide the rest; the server decides anyway. */
function rightsOf({ roles }: Session): Rights {
  const admin = roles.includes('admin');
  return {
    memory: roles.length === 0 || roles.some((role) => role !== 'operator'),
    others: admin || roles.includes('service'),
    admin,
    operator: roles.includes('operator'),
  };
}

export function useRights(): Rights {
  return rightsOf(useApi().session);
}

type Answer<O extends OperationId> = Operations[O]['answer'];

interface AskOptions {
  /** False asks nothing yet. */
  enabled?: boolean;
  /** Shows the last answer until the next is there. */
  keepPrevious?: boolean;
  refetchMs?: number;
}

/** Asks the server with a call that changes nothing. The answer has the ETag, if the call sends one. */
export function useAsk<O extends OperationId>(
  operation: O,
  input: CallInput<O>,
  { enabled = true, keepPrevious = false, refetchMs }: AskOptions = {},
): UseQueryResult<Answer<O> & { etag: string | null }> {
  const { operations } = useApi();
  return useQuery({
    queryKey: [operation, input],
    queryFn: async ({ signal }) => withEtag(await operations.call(operation, input, { signal })),
    enabled,
    ...(keepPrevious && { placeholderData: keepPreviousData }),
    ...(refetchMs !== undefined && { refetchInterval: refetchMs }),
  }) as UseQueryResult<Answer<O> & { etag: string | null }>;
}

type Paged = {
  [O in OperationId]: Answer<O> extends { next_cursor?: string } ? O : never;
}[OperationId];

/**
 * Asks for the pages of a list that can be long, one after the other. More than one page is not asked for again when something changes,
 * so that a list does not move under the person who reads it: `isStale` says so, and `refetch` does it.
 */
export function usePages<O extends Paged>(operation: O, input: CallInput<O>) {
  const { operations } = useApi();
  return useInfiniteQuery({
    queryKey: ['pages', operation, input],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: 100, ...input.query, ...(pageParam !== undefined && { cursor: pageParam }) };
      return (await operations.call(operation, { ...input, query } as CallInput<O>, { signal })).answer;
    },
    getNextPageParam: (page) => (page as { next_cursor?: string }).next_cursor,
    staleTime: Number.POSITIVE_INFINITY,
    // Comparing all pages with each new one would take longer and longer.
    structuralSharing: false,
  });
}

/** What `useAll` reads before it says that there is more. */
const mostListed = 1000;

/** Asks for a whole list that is short as a rule, and says if it is cut. Asked for again when something changes. */
export function useAll<O extends Paged>(
  operation: O,
  input: CallInput<O>,
  { enabled = true }: Pick<AskOptions, 'enabled'> = {},
): UseQueryResult<{ pages: Answer<O>[]; isCut: boolean }> {
  const { operations } = useApi();
  return useQuery({
    queryKey: ['all', operation, input],
    enabled,
    queryFn: async ({ signal }) => {
      const pages: Answer<O>[] = [];
      let cursor: string | undefined;
      do {
        const query = { limit: 100, ...input.query, ...(cursor !== undefined && { cursor }) };
        const { answer } = await operations.call(operation, { ...input, query } as CallInput<O>, { signal });
        pages.push(answer);
        cursor = (answer as { next_cursor?: string }).next_cursor;
      } while (cursor !== undefined && pages.length * 100 < mostListed);
      return { pages, isCut: cursor !== undefined };
    },
  });
}

/** Lets long lists that are not shown be read anew when they are. */
export function dropLists(queries: QueryClient): void {
  queries.removeQueries({ predicate: ({ queryKey: [kind] }) => kind === 'pages', type: 'inactive' });
}

/** Asks again for all that is shown. A list of which somebody has read more than its first page is stale until it is read again. */
export async function askAgain(queries: QueryClient): Promise<void> {
  dropLists(queries);
  await queries.invalidateQueries({ predicate: (query) => !isLong(query) });
  await queries.invalidateQueries({ predicate: isLong, refetchType: 'none' });
}

function isLong({ queryKey: [kind], state: { data } }: Query): boolean {
  return kind === 'pages' && ((data as { pages: unknown[] } | undefined)?.pages.length ?? 0) > 1;
}

/** Returns what calls an operation that changes something. Everything on the page is then asked for again. */
export function useChange<O extends OperationId>(operation: O): UseMutationResult<Answer<O>, Error, CallInput<O>> {
  const { operations } = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (input: CallInput<O>) => (await operations.call(operation, input)).answer,
    onSettled: () => askAgain(queries),
  });
}

function withEtag<O extends OperationId>({ answer, etag }: CallResult<O>) {
  return { ...(answer as object), etag };
}
