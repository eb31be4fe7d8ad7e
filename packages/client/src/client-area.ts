import { memoryServiceRoutes } from './generated/operations.js';
import { MemhallError } from './memhall-error.js';
import { type CallOptions, type ClientOptions, Transport } from './transport.js';

/** A service token acts for the user it names. */
export interface UserOptions extends CallOptions {
  userId?: string;
}

export interface WriteOptions extends UserOptions {
  /** Write only if the present ETag is this one; `*`: only if there is something. */
  ifMatch?: string;
}

/** One area of calls; the client is made of several, one upon the other. */
export class ClientArea {
  protected readonly transport: Transport;

  constructor(options: ClientOptions) {
    this.transport = new Transport(options, memoryServiceRoutes);
  }
}

export function userOf({ userId }: UserOptions): { user_id?: string } {
  return userId === undefined ? {} : { user_id: userId };
}

export function conditions({ ifMatch }: WriteOptions): Record<string, string> {
  return ifMatch === undefined ? {} : { 'if-match': ifMatch };
}

/** null where the server says that there is no such thing. */
export async function orNull<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof MemhallError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}
