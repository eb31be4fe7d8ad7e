import { Command } from 'commander';
import { rotateMasterKey } from '../composition/master-key.js';
import { createLogger } from '../http/logging.js';
import { addStoreOptions, configFrom, type Environment } from './config-options.js';
import { withExamples } from './examples.js';
import { ProgressBar } from './progress-bar.js';
import { addJsonOption, printCounts } from './report.js';

export function keysCommand(environment: Environment): Command {
  const rotate = new Command('rotate').description(
    'Encrypt the keys of all tenants with a new master key. If you configure the master key, set the new one as MEMHALL_MASTER_KEY and the old one as MEMHALL_MASTER_KEY_PREVIOUS first. If it is in Azure Key Vault, its newest version is used. If it is stored in the data directory, a new one is created and the old one is kept next to it. Snapshots are not re-encrypted. Safe to run twice.',
  );
  addStoreOptions(addJsonOption(rotate));
  withExamples(rotate, 'memhall keys rotate', 'memhall keys rotate --database-url postgres://owner@localhost/memhall');
  rotate.action(async (options: { json?: true }) => {
    const config = configFrom(options, environment);
    const bar = new ProgressBar('Rotating');
    const { tenants, keys } = await rotateMasterKey(
      config,
      createLogger(config.logLevel, config.logFormat),
      (done, total) => bar.update(done, total),
    );
    bar.finish();
    printCounts(options.json, 'Rotation complete', { tenants, keys });
  });
  const keys = new Command('keys').description('Manage the keys that snapshots are encrypted with.').addCommand(rotate);
  return withExamples(keys, 'memhall keys rotate');
}
