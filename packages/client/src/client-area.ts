import { memoryServiceRoutes } from './generated/operations.js';
import { MemhallError } from './memhall-error.js';
import { type CallOptions, type ClientOptions, Transport } from './transport.js';

export interface UserOptions extends CallOptions {
  /** The user that a service token acts for. */
  userId?: string;
}

export interface WriteOptions extends UserOptions {
  /** Write only if the current ETag is this one. `*`: only if a value exists. */
  ifMatch?: string;
}

/** Base class of the client's groups of calls. Each group extends the previous one. */
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

/** Returns null if the server responds with NOT_FOUND. */
export async function orNull<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof MemhallError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}
