import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const message = { role: 'assistant', content: 'Behind the door.' };
const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
const about = { id: '1', created: 1, model: 'test', usage };

/** A chat-completions endpoint that always gives the same answer. */
export async function startTestModel(): Promise<{ url: string; server: Server }> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (!JSON.parse(body).stream) {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ ...about, choices: [{ index: 0, message, finish_reason: 'stop' }] }));
      return;
    }
    response.setHeader('content-type', 'text/event-stream');
    const chunk = { ...about, choices: [{ index: 0, delta: message, finish_reason: 'stop' }] };
    response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}
