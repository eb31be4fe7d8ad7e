import { type ProviderTarget, providerSuite, WrongUse } from '@memhall/conformance';
import { Command } from 'commander';
import type { Environment } from './config-options.js';
import { withExamples } from './examples.js';
import { addConformanceOptions, type ConformanceOptions, parseTimeout, runConformance } from './run-conformance.js';

interface Options extends ConformanceOptions {
  module?: string;
  target?: string;
  token?: string;
  workspace: string;
}

export function conformanceProviderCommand(environment: Environment): Command {
  const command = new Command('provider')
    .description(
      'Check a memory provider against provider v1 and report the result of each requirement. The provider is either a module that exports createProvider(owner) or the provider API of a Memhall server. The checks use their own agents (agent-…) and forget everything they retained. Exit codes: 0 if every mandatory requirement passes, 1 if one fails, 2 for wrong usage or if the provider cannot be reached.',
    )
    .option(
      '--module <file>',
      'JavaScript module that exports createProvider(owner) and, optionally, plant and removeOwner.',
    )
    .option('--target <url>', 'Check a Memhall server instead of a module: http://host:port or https://host.')
    .option(
      '--token <token>',
      'Token for the server. Prefer the variable: flags are visible in the process list. [MEMHALL_PROVIDER_TOKEN]',
    )
    .option('--workspace <id>', 'Workspace on the server that the token may use.', 'me');
  addConformanceOptions(command, 'PROVIDER-CAP-02, PROVIDER-SCAN');
  withExamples(
    command,
    'memhall conformance provider --list',
    'memhall conformance provider --module ./my-provider.js',
    'memhall conformance provider --module ./my-provider.js --only PROVIDER-RECALL --junit report.xml',
    'memhall conformance provider --target http://127.0.0.1:8010 --workspace me',
  );
  return command.action((options: Options) =>
    runConformance(environment, providerSuite, options, () => toTarget(options, environment)),
  );
}

function toTarget({ module, target, token, workspace, timeout }: Options, environment: Environment): ProviderTarget {
  const timeoutMs = parseTimeout(timeout);
  if ((module === undefined) === (target === undefined)) {
    throw new WrongUse(
      'Give exactly one of --module and --target, such as --module ./my-provider.js or --target http://127.0.0.1:8010',
    );
  }
  if (module !== undefined) return { module };
  const sent = token ?? environment.MEMHALL_PROVIDER_TOKEN;
  if (sent === undefined || sent === '')
    throw new WrongUse('A server requires a token: set MEMHALL_PROVIDER_TOKEN or use --token.');
  if (!/^https?:$/.test(URL.canParse(target ?? '') ? new URL(target ?? '').protocol : '')) {
    throw new WrongUse('--target must be a URL: http://host:port or https://host.');
  }
  return { url: target ?? '', token: sent, workspaceId: workspace, timeoutMs };
}
