// Memory for a loop of your own.
//
//   npm start                       # in one terminal; prints a token
//   TOKEN=… node examples/own-loop/main.mjs
//
// Without a token it starts a server of its own, so that it can check itself.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOwnServer } from '../support/own-server.mjs';
import { rememberInLangGraph } from './langgraph.mjs';

const { TOKEN: token, MEMHALL_URL: url = 'http://127.0.0.1:8010' } = process.env;
const own = token === undefined ? await startOwnServer(mkdtempSync(join(tmpdir(), 'memhall-example-'))) : undefined;
try {
  await rememberInLangGraph(own ?? { url, token: token ?? '' });
} finally {
  await own?.stop();
  if (own !== undefined) rmSync(own.dataDirectory, { recursive: true });
}
