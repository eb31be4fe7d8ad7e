import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

/**
 * A stand-in for the Messages API: answers requests that have tools with one answer after the other, a text or a call `{ name, input }` of a tool, and others with a short text.
 */
export async function startFakeMessages(answers) {
  const requests = [];
  const server = createServer(async (request, response) => {
    const body = request.method === 'POST' ? await json(request).catch(() => ({})) : {};
    if (!request.url.startsWith('/v1/messages') || request.url.includes('count_tokens')) {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"input_tokens":1}');
      return;
    }
    const isTurn = (body.tools ?? []).length > 0;
    if (isTurn) requests.push(body);
    const answer = isTurn ? (answers[requests.length - 1] ?? 'Done.') : 'ok';
    send(response, body, typeof answer === 'string' ? { type: 'text', text: answer } : answer);
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  return { url: `http://127.0.0.1:${server.address().port}`, requests, stop: () => server.close() };
}

function send(response, { stream, model }, answer) {
  const isText = answer.type === 'text';
  const id = `msg_${crypto.randomUUID()}`;
  const block = isText ? answer : { type: 'tool_use', id: `toolu_${crypto.randomUUID()}`, ...answer };
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content: [block],
    stop_reason: isText ? 'end_turn' : 'tool_use',
    stop_sequence: null,
    usage,
  };
  if (!stream) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(message));
    return;
  }
  const delta = isText
    ? { type: 'text_delta', text: answer.text }
    : { type: 'input_json_delta', partial_json: JSON.stringify(answer.input) };
  const events = [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    {
      type: 'content_block_start',
      index: 0,
      content_block: isText ? { type: 'text', text: '' } : { ...block, input: {} },
    },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: message.stop_reason, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ];
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  response.end();
}
