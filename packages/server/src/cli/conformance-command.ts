import { Command } from 'commander';
import type { Environment } from './config-options.js';
import { conformancePluginCommand } from './conformance-plugin-command.js';
import { conformanceProviderCommand } from './conformance-provider-command.js';
import { withExamples } from './examples.js';

export function conformanceCommand(environment: Environment): Command {
  const command = new Command('conformance')
    .description('Check a memory plugin or a provider against its contract, from the outside.')
    .addCommand(conformancePluginCommand(environment))
    .addCommand(conformanceProviderCommand(environment));
  return withExamples(
    command,
    'memhall conformance plugin --target http://127.0.0.1:9100',
    'memhall conformance provider --module ./my-provider.js',
  );
}
