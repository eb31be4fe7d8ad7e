type RequestId = string | number;

interface Message {
  id?: unknown;
  method?: unknown;
  params?: { requestId?: unknown; _meta?: { progressToken?: unknown } | undefined } | undefined;
}

/** The little of a body that matters before the protocol's own library reads it. It may be anything. */
export class JsonRpcBody {
  readonly #messages: Message[];

  constructor(body: unknown) {
    const list = Array.isArray(body) ? body : [body];
    this.#messages = list.filter((message) => message !== null && typeof message === 'object');
  }

  /** Ids of the requests in it. */
  get requestIds(): RequestId[] {
    return this.#messages
      .filter(({ method }) => method !== undefined)
      .map(({ id }) => id)
      .filter(isRequestId);
  }

  /** Ids of requests it says to cancel. */
  get cancelledIds(): RequestId[] {
    const cancels = this.#messages.filter(({ method }) => method === 'notifications/cancelled');
    return cancels.map(({ params }) => params?.requestId).filter(isRequestId);
  }

  get opensSession(): boolean {
    return this.#messages.some(({ method }) => method === 'initialize');
  }

  get wantsProgress(): boolean {
    return this.#messages.some(({ params }) => params?._meta?.progressToken !== undefined);
  }
}

function isRequestId(id: unknown): id is RequestId {
  return typeof id === 'string' || typeof id === 'number';
}
