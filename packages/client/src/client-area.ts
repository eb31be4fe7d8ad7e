import type { Operations } from './generated/operations.js';
import { MemhallError } from './memhall-error.js';
import {
  type CallInput,
  type CallOptions,
  type CallResult,
  type ClientOptions,
  type RouteTable,
  Transport,
} from './transport.js';

type Body<O extends keyof Operations> = Operations[O] extends { body: infer B } ? NonNullable<B> : never;
/** The fields of a request body. The user is given in the options instead. */
export type Fields<O extends keyof Operations> = Omit<Body<O>, 'user_id'>;
/** A value with its ETag, to be passed as `ifMatch`. */
export type Tagged<T> = T & { etag: string };

export interface UserOptions extends CallOptions {
  /** The user that a service token acts for. */
  userId?: string;
}

export interface WriteOptions extends UserOptions {
  /** Write only if the current ETag is this one. `*`: only if a value exists. */
  ifMatch?: string;
}

export interface PageOptions extends UserOptions {
  /** 1 to 100, default 20. */
  limit?: number;
  /** `next_cursor` of the previous page. */
  cursor?: string;
}

/** Options of a call that requests page after page. `limit` is the size of a page. */
export type EachOptions<T extends PageOptions = PageOptions> = Omit<T, 'cursor'>;

/** Base class of the client's groups of calls. Each group extends the previous one. */
export class ClientArea {
  protected readonly transport: Transport;

  constructor(options: ClientOptions, routes: RouteTable) {
    this.transport = new Transport(options, routes);
  }

  protected async answer<O extends keyof Operations>(
    operation: O,
    input: CallInput<O>,
    options: CallOptions,
  ): Promise<Operations[O]['answer']> {
    return (await this.transport.call(operation, input, options)).answer;
  }

  /** Returns null if the server responds with NOT_FOUND. */
  protected find<O extends keyof Operations>(
    operation: O,
    input: CallInput<O>,
    options: CallOptions,
  ): Promise<Operations[O]['answer'] | null> {
    return orNull(this.answer(operation, input, options));
  }

  /** Returns false if the server responds with NOT_FOUND. */
  protected async remove<O extends keyof Operations>(
    operation: O,
    input: CallInput<O>,
    options: CallOptions,
  ): Promise<boolean> {
    return (await orNull(this.transport.call(operation, input, options))) !== null;
  }
}

export function userOf({ userId }: UserOptions) {
  return { user_id: userId };
}

export function conditions({ ifMatch }: WriteOptions): Record<string, string> {
  return ifMatch === undefined ? {} : { 'if-match': ifMatch };
}

/** Returns null if the server responds with NOT_FOUND. */
export async function orNull<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof MemhallError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}

export function pageOf({ limit, cursor, userId }: PageOptions) {
  return { limit, cursor, user_id: userId };
}

/** Yields the items of all pages. A page is requested only when its first item is. */
export async function* eachItem<Page extends { next_cursor?: string }, Item>(
  list: (page: { cursor?: string }) => Promise<Page>,
  itemsOf: (page: Page) => readonly Item[],
): AsyncGenerator<Item, void, undefined> {
  for (let cursor: string | undefined; ; ) {
    const page = await list(cursor === undefined ? {} : { cursor });
    yield* itemsOf(page);
    cursor = page.next_cursor;
    if (cursor === undefined) return;
  }
}

export function tagged<O extends keyof Operations>({ answer, etag }: CallResult<O>): Tagged<Operations[O]['answer']> {
  return { ...(answer as object), etag: etag ?? '' } as Tagged<Operations[O]['answer']>;
}

export async function taggedOrNull<O extends keyof Operations>(
  call: Promise<CallResult<O>>,
): Promise<Tagged<Operations[O]['answer']> | null> {
  const found = await orNull(call);
  return found && tagged(found);
}
