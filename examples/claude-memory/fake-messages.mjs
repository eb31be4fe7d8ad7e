import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

/**
 * Starts a stand-in for the Messages API, which needs no key. Its model calls the memory tool with one input after the other and then says
 * what the last result was.
 * @param {readonly object[]} inputs
 */
export async function startFakeMessages(inputs) {
  let calls = 0;
  const server = createServer(async (request, response) => {
    const { messages } = /** @type {any} */ (await json(request));
    const input = inputs[calls];
    calls += 1;
    const said = input === undefined ? lastResult(messages) : '';
    const content =
      input === undefined
        ? [{ type: 'text', text: said }]
        : [{ type: 'tool_use', id: `toolu_${calls}`, name: 'memory', input }];
    const message = {
      id: `msg_${calls}`,
      type: 'message',
      role: 'assistant',
      model: 'fake',
      content,
      stop_reason: input === undefined ? 'end_turn' : 'tool_use',
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(message));
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', () => listening(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { url: `http://127.0.0.1:${port}`, stop: () => server.close() };
}

/** @param {any[]} messages */
function lastResult(messages) {
  return String(messages.at(-1)?.content[0]?.content);
}
