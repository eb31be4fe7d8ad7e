import { startServer } from '../../src/main.js';
import { createTestDatabase } from './databases.js';
import { forgeSecret } from './forge-token.js';
import { keepLog } from './keep-log.js';

export interface LogLine {
  level: number;
  msg: string;
  [name: string]: unknown;
}

export interface LoggedServer {
  url: string;
  /** Everything logged so far, at every level. */
  log(): string;
  logLines(): LogLine[];
  close(): Promise<void>;
}

/** Starts a server on a new embedded database and keeps its log. Accepts tokens from `forgeToken`. */
export async function startLoggedServer(settings: Record<string, string> = {}): Promise<LoggedServer> {
  const database = await createTestDatabase('embedded');
  const secret: Record<string, string> = settings.jwksUrl === undefined ? { jwtSecret: forgeSecret } : {};
  const { logger, log } = keepLog();
  const server = await startServer(database.config({ ...secret, ...settings }), logger);
  return {
    url: server.url,
    log,
    logLines: () =>
      log()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    async close() {
      await server.close();
      await database.remove();
    },
  };
}
