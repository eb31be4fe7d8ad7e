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
      'Hold a memory plugin, in any language, against memory plugin v1 over HTTP, and report by requirement. It works in namespaces of its own (custom:conformance.…) and removes them. Exit code 0: all that must be so is so; 1: something is not; 2: wrong use, or nobody answers.',
    )
    .option('--target <url>', 'where the plugin listens: http://host:port, https://host or unix:/path/to/socket')
    .option(
      '--token <token>',
      'bearer token to send; the variable keeps it out of the list of processes [MEMHALL_PLUGIN_TOKEN]',
    )
    .option('--embedding-length <number>', 'how long embeddings must be, where none of the usual lengths is taken');
  addConformanceOptions(command, 'PLUGIN-NS-03, PLUGIN-TTL');
  withExamples(
    command,
    'memhall conformance plugin --list',
    'memhall conformance plugin --target http://127.0.0.1:9100',
    'memhall conformance plugin --target unix:/run/plugin.sock --only PLUGIN-NS PLUGIN-TTL-02',
    'memhall conformance plugin --target http://plugin:9100 --junit report.xml --known-gaps gaps.json',
  );
  return command.action((options: Options) =>
    runConformance(pluginSuite, options, () => toTarget(options, environment)),
  );
}

function toTarget({ target, token, timeout, embeddingLength }: Options, environment: Environment): PluginTarget {
  if (target === undefined) throw new WrongUse('Say where the plugin listens: --target http://127.0.0.1:9100');
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
