import { Command } from 'commander';
import { rotateMasterKey } from '../composition/master-key.js';
import { createLogger } from '../http/logging.js';
import { addStoreOptions, configFrom, type Environment } from './config-options.js';
import { withExamples } from './examples.js';
import { ProgressBar } from './progress-bar.js';

export function keysCommand(environment: Environment): Command {
  const rotate = new Command('rotate').description(
    'Lock the keys of all tenants with a new master key. Where the master key is configured, set the new one as MEMHALL_MASTER_KEY and the old one as MEMHALL_MASTER_KEY_PREVIOUS; where it is kept in the data directory, a new one is made and the old one stays beside it. Snapshots are not touched. Safe to run twice.',
  );
  addStoreOptions(rotate);
  withExamples(rotate, 'memhall keys rotate', 'memhall keys rotate --database-url postgres://owner@localhost/memhall');
  rotate.action(async (options: Record<string, unknown>) => {
    const config = configFrom(options, environment);
    const bar = new ProgressBar('Rotating');
    const { tenants, keys } = await rotateMasterKey(config, createLogger(config.logLevel), (done, total) =>
      bar.update(done, total),
    );
    bar.finish();
    process.stdout.write(`Rotation complete: tenants=${tenants} keys=${keys}\n`);
  });
  return new Command('keys').description('Look after the keys that snapshots are encrypted with.').addCommand(rotate);
}
