import { Command } from 'commander';
import { reindexEvents } from '../engine/events/reindex-events.js';
import { createLogger } from '../http/logging.js';
import { startEngine } from '../main.js';
import { addStoreOptions, configFrom, type Environment } from './config-options.js';
import { withExamples } from './examples.js';
import { ProgressBar } from './progress-bar.js';

export function reindexCommand(environment: Environment): Command {
  const command = new Command('reindex')
    .description(
      'Make the search index of events anew from the events themselves. Searches and writes go on meanwhile, and find the same after. Works beside a running server.',
    )
    .option('--tenant <id>', 'only the events of this tenant');
  addStoreOptions(command);
  withExamples(command, 'memhall reindex', 'memhall reindex --tenant acme');
  return command.action(async (options: { tenant?: string }) => {
    const config = configFrom({ ...options }, environment);
    const { engine, close } = await startEngine(config, createLogger(config.logLevel), { shareRunning: true });
    const bar = new ProgressBar('Reindexing');
    try {
      const heads = await engine.store.auditHeads(options.tenant);
      const tenants = [...new Set(heads.map(({ tenantId }) => tenantId))];
      const total = { users: 0, events: 0, removed: 0 };
      for (const [index, tenantId] of tenants.entries()) {
        const report = await reindexEvents(engine, tenantId);
        total.users += report.users;
        total.events += report.events;
        total.removed += report.removed;
        bar.update(index + 1, tenants.length);
      }
      bar.finish();
      process.stdout.write(
        `Reindex complete: tenants=${tenants.length} users=${total.users} events=${total.events} removed=${total.removed}\n`,
      );
    } finally {
      await close();
    }
  });
}
