import type { Config } from './config/settings.js';
import { createLogger } from './http/logging.js';

export interface RunningServer {
  url: string;
  pluginUrl: string | null;
  /** Returns a link that signs in to the console with the rights of the token: once, within five minutes. */
  signInLink(token: string): string;
  /** Stops accepting requests, finishes those in flight, and closes the store. Can be called more than once. */
  close(): Promise<void>;
}

/** Runs a server in this process, which logs to standard error. The web server is loaded only here. */
export async function startServer(config: Config): Promise<RunningServer> {
  const main = await import('./main.js');
  return main.startServer(config, createLogger(config.logLevel, config.logFormat));
}
