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
      'Hold a memory provider against provider v1 and report by requirement: a module that exports createProvider(owner), or the provider calls of a Memhall server. It works for agents of its own (agent-…) and forgets what it retained. Exit code 0: all that must be so is so; 1: something is not; 2: wrong use, or there is no such provider.',
    )
    .option(
      '--module <file>',
      'JavaScript module that exports createProvider(owner), and plant and removeOwner if it likes',
    )
    .option('--target <url>', 'a Memhall server instead: http://host:port or https://host')
    .option(
      '--token <token>',
      'token for the server; the variable keeps it out of the list of processes [MEMHALL_PROVIDER_TOKEN]',
    )
    .option('--workspace <id>', 'workspace at the server that the token may name', 'me');
  addConformanceOptions(command, 'PROVIDER-CAP-02, PROVIDER-SCAN');
  withExamples(
    command,
    'memhall conformance provider --list',
    'memhall conformance provider --module ./my-provider.js',
    'memhall conformance provider --module ./my-provider.js --only PROVIDER-RECALL --junit report.xml',
    'memhall conformance provider --target http://127.0.0.1:8010 --workspace me',
  );
  return command.action((options: Options) =>
    runConformance(providerSuite, options, () => toTarget(options, environment)),
  );
}

function toTarget({ module, target, token, workspace, timeout }: Options, environment: Environment): ProviderTarget {
  const timeoutMs = parseTimeout(timeout);
  if ((module === undefined) === (target === undefined)) {
    throw new WrongUse('Say what to test, one of: --module ./my-provider.js, --target http://127.0.0.1:8010');
  }
  if (module !== undefined) return { module };
  const sent = token ?? environment.MEMHALL_PROVIDER_TOKEN;
  if (sent === undefined || sent === '')
    throw new WrongUse('A server wants a token: --token or MEMHALL_PROVIDER_TOKEN.');
  if (!/^https?:$/.test(URL.canParse(target ?? '') ? new URL(target ?? '').protocol : '')) {
    throw new WrongUse('The target must be a URL: http://host:port or https://host.');
  }
  return { url: target ?? '', token: sent, workspaceId: workspace, timeoutMs };
}
