import {
  administrationRoutes,
  chatRoutes,
  consoleRoutes,
  governedDocumentsRoutes,
  memoryServiceRoutes,
  oneMemoryRoutes,
  operationsRoutes,
  providerRoutes,
} from './generated/operations.js';
import { streamText } from './stream-text.js';
import {
  type CallInput,
  type CallOptions,
  type CallResult,
  type ClientOptions,
  type OperationId,
  Transport,
} from './transport.js';

const routes = {
  ...governedDocumentsRoutes,
  ...oneMemoryRoutes,
  ...memoryServiceRoutes,
  ...providerRoutes,
  ...administrationRoutes,
  ...chatRoutes,
  ...consoleRoutes,
  ...operationsRoutes,
};

/**
 * Client for every operation of the main listener by its id, for programs that need many of them, such as consoles and scripts of
 * administrators.
 *
 * @example
 * const memhall = new OperationsClient({ baseUrl: 'http://127.0.0.1:8010', token });
 * const { answer } = await memhall.call('legalHolds.list', { path: { tenant_id: 'default' }, query: {} });
 */
export class OperationsClient {
  readonly #transport: Transport;

  constructor(options: ClientOptions) {
    this.#transport = new Transport(options, routes);
  }

  call<O extends OperationId>(operation: O, input: CallInput<O>, options?: CallOptions): Promise<CallResult<O>> {
    return this.#transport.call(operation, input, options);
  }

  /** Yields the text of an answer that is not JSON, such as an export, as it arrives. */
  streamText<O extends OperationId>(
    operation: O,
    input: CallInput<O>,
    options: CallOptions = {},
  ): AsyncGenerator<string, void, undefined> {
    return streamText(this.#transport, operation, input, options);
  }
}
