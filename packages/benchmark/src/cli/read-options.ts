import { parseArgs } from 'node:util';
import { builtInNames } from '../adapters/load-adapter.js';
import type { BenchmarkOptions } from '../run/run-benchmark.js';

/** Says how the command has to be used. */
export class UsageProblem extends Error {}

export interface CommandOptions {
  mode: 'run' | 'help' | 'list';
  systems: readonly string[];
  /** Whether systems were named. Others are left out if they are not installed. */
  named: boolean;
  format: 'table' | 'markdown' | 'json';
  output: string | undefined;
  benchmark: BenchmarkOptions;
}

/** Not run unless it is named: it needs a server that runs. */
const onlyNamed = ['memhall-url'];

export function readCommandOptions(args: readonly string[], program: string): CommandOptions {
  const values = parse(args);
  const named = values.system ?? [];
  const systems = named.length > 0 ? named : builtInNames.filter((name) => !onlyNamed.includes(name));
  return {
    mode: values.help ? 'help' : values.list ? 'list' : 'run',
    systems,
    named: named.length > 0,
    format: values.json ? 'json' : values.markdown ? 'markdown' : 'table',
    output: values.output,
    benchmark: {
      program,
      packages: values.packages ?? ['.'],
      only: values.only ?? [],
      settings: Object.fromEntries((values.set ?? []).map(toSetting)),
      seed: numberOf('seed', values.seed, 0, 2 ** 31),
      repeat: numberOf('repeat', values.repeat, 1, 1000),
      data: values.data,
      conversations: numberOf('conversations', values.conversations, 1, 1_000_000),
      databaseUrl: values['database-url'],
      workDirectory: values.work,
      timeoutMs: numberOf('timeout', values.timeout, 1, 86_400) * 1000,
      callTimeoutMs: numberOf('call-timeout', values['call-timeout'], 1, 3600) * 1000,
    },
  };
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const texts = { type: 'string', multiple: true } as const;
  const flag = { type: 'boolean', default: false } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: false,
      options: {
        system: { ...texts, short: 's' },
        only: { ...texts, short: 'o' },
        packages: { ...texts, short: 'p' },
        set: texts,
        seed: { ...text, default: '1' },
        repeat: { ...text, default: '1' },
        data: text,
        conversations: { ...text, default: '1' },
        'database-url': text,
        work: text,
        timeout: { ...text, default: '1800' },
        'call-timeout': { ...text, default: '120' },
        json: flag,
        markdown: flag,
        output: text,
        list: flag,
        help: { ...flag, short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new UsageProblem(`${(error as Error).message}\nRun memhall-benchmark --help for what there is.`);
  }
}

function numberOf(name: string, text: string, smallest: number, largest: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < smallest || value > largest)
    throw new UsageProblem(`--${name} must be a whole number from ${smallest} to ${largest}, not ${text}.`);
  return value;
}

function toSetting(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageProblem(`--set takes name=value, not ${text}.`);
  return [text.slice(0, at), text.slice(at + 1)];
}
