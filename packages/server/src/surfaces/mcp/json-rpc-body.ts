import { Problem } from '@memhall/core';

export type RequestId = string | number;

interface Message {
  id?: unknown;
  method?: unknown;
  params?: { requestId?: unknown; name?: unknown; _meta?: { progressToken?: unknown } | null } | null;
}

/**
 * The parts of a body that are needed before the MCP library parses it. The body is not validated, except for batches.
 */
export class JsonRpcBody {
  readonly #message: Message;

  /** Throws INVALID_REQUEST for a batch, which would bypass the quota by counting as one request. */
  constructor(body: unknown) {
    if (Array.isArray(body))
      throw new Problem('INVALID_REQUEST', 'Send one JSON-RPC message per request. Batches are not supported.');
    this.#message = body !== null && typeof body === 'object' ? body : {};
  }

  /** Id of a request; undefined for a notification or a response. */
  get requestId(): RequestId | undefined {
    const { id, method } = this.#message;
    return method === undefined ? undefined : toRequestId(id);
  }

  /** Id of the request to cancel; undefined if the message is not a cancellation. */
  get cancelledId(): RequestId | undefined {
    const { method, params } = this.#message;
    return method === 'notifications/cancelled' ? toRequestId(params?.requestId) : undefined;
  }

  /** Name of the tool to call; undefined if the message calls none. */
  get calledTool(): unknown {
    const { method, params } = this.#message;
    return method === 'tools/call' ? params?.name : undefined;
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
