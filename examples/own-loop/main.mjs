// Memory for your own agent loop: with the AI SDK, with a chat completion service, and with LangGraph.
//
//   npm start                       # in one terminal
//   TOKEN=$(npx memhall token --tenant default --user me --role admin) node examples/own-loop/main.mjs
//
// Without a token it starts its own server, so that it can check itself.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryGatewayBackend, parseGatewayConfiguration } from '@memhall/agent';
import { createGatewayUser } from '../support/gateway-user.mjs';
import { startOwnServer } from '../support/own-server.mjs';
import { rememberInAiSdk } from './ai-sdk.mjs';
import { rememberInChatCompletions } from './chat-completions.mjs';
import { rememberInLangGraph } from './langgraph.mjs';

const { TOKEN: token, MEMHALL_URL: url = 'http://127.0.0.1:8010' } = process.env;
const own = token === undefined ? await startOwnServer(mkdtempSync(join(tmpdir(), 'memhall-example-'))) : undefined;
try {
  const server = own ?? { url, token: token ?? '' };
  const user = await createGatewayUser(server);
  const gateway = parseGatewayConfiguration({ baseUrl: server.url, ...user, scope: ['all_user_memory'] });
  const memory = new MemoryGatewayBackend(gateway);
  await rememberInAiSdk(memory);
  await rememberInChatCompletions(memory);
  await rememberInLangGraph(server);
} finally {
  await own?.stop();
  if (own !== undefined) rmSync(own.dataDirectory, { recursive: true });
}
