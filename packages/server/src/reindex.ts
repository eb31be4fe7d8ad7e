import type { Logger } from 'pino';
import type { Config } from './config/settings.js';
import { rebuildAll } from './engine/outer/rebuild-all.js';
import { startEngine } from './main.js';

/** Rebuilds what the database derives from artifacts, beside a running server or without one. */
export async function reindex(
  config: Config,
  logger: Logger,
  options: { tenantId?: string | undefined; onProgress?: (users: number) => void },
): Promise<{ users: number }> {
  const { engine, close } = await startEngine(config, logger, { shareRunning: true, rebuilds: true });
  try {
    return await rebuildAll(engine, options);
  } finally {
    await close();
  }
}
