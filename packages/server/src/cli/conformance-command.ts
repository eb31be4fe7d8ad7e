import { Command } from 'commander';
import type { Environment } from './config-options.js';
import { conformancePluginCommand } from './conformance-plugin-command.js';
import { conformanceProviderCommand } from './conformance-provider-command.js';

export function conformanceCommand(environment: Environment): Command {
  return new Command('conformance')
    .description('Hold an implementation of a contract against that contract, from outside.')
    .addCommand(conformancePluginCommand(environment))
    .addCommand(conformanceProviderCommand(environment));
}
