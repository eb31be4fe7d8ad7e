import { type PluginTarget, pluginSuite, WrongUse } from '@memhall/conformance';
import { Command } from 'commander';
import type { Environment } from './config-options.js';
import { withExamples } from './examples.js';
import { addConformanceOptions, type ConformanceOptions, parseTimeout, runConformance } from './run-conformance.js';

interface Options extends ConformanceOptions {
  target?: string;
  token?: string;
  embeddingLength?: string;
}

export function conformancePluginCommand(environment: Environment): Command {
  const command = new Command('plugin')
    .description(
      'Check a memory plugin, written in any language, against memory plugin v1 over HTTP, and report the result of each requirement. The checks use their own namespaces (custom:conformance.…) and remove them afterwards. Exit codes: 0 if every mandatory requirement passes, 1 if one fails, 2 for wrong usage or if the plugin cannot be reached.',
    )
    .option('--target <url>', 'Address of the plugin: http://host:port, https://host or unix:/path/to/socket.')
    .option(
      '--token <token>',
      'Bearer token to send. Prefer the variable: flags are visible in the process list. [MEMHALL_PLUGIN_TOKEN]',
    )
    .option(
      '--embedding-length <number>',
      'Embedding length that the plugin requires, if it accepts none of the usual lengths.',
    );
  addConformanceOptions(command, 'PLUGIN-NS-03, PLUGIN-TTL');
  withExamples(
    command,
    'memhall conformance plugin --list',
    'memhall conformance plugin --target http://127.0.0.1:9100',
    'memhall conformance plugin --target unix:/run/plugin.sock --only PLUGIN-NS PLUGIN-TTL-02',
    'memhall conformance plugin --target http://plugin:9100 --junit report.xml --known-gaps gaps.json',
  );
  return command.action((options: Options) =>
    runConformance(environment, pluginSuite, options, () => toTarget(options, environment)),
  );
}

function toTarget({ target, token, timeout, embeddingLength }: Options, environment: Environment): PluginTarget {
  if (target === undefined)
    throw new WrongUse('--target is required: give the address of the plugin, such as --target http://127.0.0.1:9100');
  const sent = token ?? environment.MEMHALL_PLUGIN_TOKEN;
  return {
    url: target,
    timeoutMs: parseTimeout(timeout),
    ...(sent === undefined || sent === '' ? {} : { token: sent }),
    ...(embeddingLength === undefined ? {} : { embeddingLength: parseLength(embeddingLength) }),
  };
}

function parseLength(text: string): number {
  const length = Number(text);
  if (!Number.isInteger(length) || length < 1 || length > 100_000) {
    throw new WrongUse(`--embedding-length must be a whole number from 1 to 100000, not "${text}".`);
  }
  return length;
}
