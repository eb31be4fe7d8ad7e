import type { Operations } from './generated/operations.js';
import type { CallOptions, Transport } from './transport.js';

/** What every group of calls of the documents client needs. */
export interface DocumentsScope {
  transport: Transport;
  tenant: { tenant_id: string };
  user: { tenant_id: string; user_id: string };
}

export type Body<O extends keyof Operations> = Operations[O] extends { body: infer B } ? B : never;
export type Query<O extends keyof Operations> = Operations[O]['query'];
export type Answer<O extends keyof Operations> = Operations[O]['answer'];
/** Options of a call that requests page after page. `limit` is the size of a page. */
export type EachPage<O extends keyof Operations> = CallOptions & Omit<Query<O>, 'cursor'>;

/** Separates the options of a call from its query. */
export function splitOptions<T extends CallOptions>({ signal, timeoutMs, ...query }: T) {
  const options: CallOptions = {
    ...(signal === undefined ? {} : { signal }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
  return { query, options };
}
