import { Problem } from '@memhall/core';

export type RequestId = string | number;

interface Message {
  id?: unknown;
  method?: unknown;
  params?: { requestId?: unknown; _meta?: { progressToken?: unknown } | null } | null;
}

/** The little of a body that matters before the protocol's own library reads it. It may be anything but a batch. */
export class JsonRpcBody {
  readonly #message: Message;

  /** Throws INVALID_REQUEST for a batch: it would be many calls for the price of one. */
  constructor(body: unknown) {
    if (Array.isArray(body)) throw new Problem('INVALID_REQUEST', 'Send one message a request: batches are not taken.');
    this.#message = body !== null && typeof body === 'object' ? body : {};
  }

  /** Of a request; undefined for a notification or an answer. */
  get requestId(): RequestId | undefined {
    const { id, method } = this.#message;
    return method === undefined ? undefined : toRequestId(id);
  }

  /** Of the request it says to cancel. */
  get cancelledId(): RequestId | undefined {
    const { method, params } = this.#message;
    return method === 'notifications/cancelled' ? toRequestId(params?.requestId) : undefined;
  }

  get opensSession(): boolean {
    return this.#message.method === 'initialize';
  }

  get wantsProgress(): boolean {
    return this.#message.params?._meta?.progressToken !== undefined;
  }
}

function toRequestId(id: unknown): RequestId | undefined {
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}
