import type { Operations } from './generated/operations.js';
import { MemhallError } from './memhall-error.js';
import type { CallInput, CallOptions, Transport } from './transport.js';

/** Yields the text of an answer as it arrives. The time limit applies until it begins. Never retries. */
export async function* streamText<O extends keyof Operations>(
  transport: Transport,
  operation: O,
  input: CallInput<O>,
  options: CallOptions,
): AsyncGenerator<string, void, undefined> {
  const body = await transport.exchange(operation, input, options, async (response) => response.body);
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true };
      if (done) return;
      yield decoder.decode(value, { stream: true });
    }
  } catch (cause) {
    options.signal?.throwIfAborted();
    throw new MemhallError({ code: 'NETWORK', status: 0, message: `${operation} was cut off.`, cause });
  } finally {
    await reader?.cancel().catch(() => undefined);
  }
}
