import { Problem, StartUpError } from '@memhall/core';
import { buildProgram } from './build-program.js';
import type { Environment } from './config-options.js';
import { withLongFlags } from './single-dash-flags.js';

/** Runs one command. What a person can mend is told in one sentence, with exit code 1; anything else keeps its stack. */
export async function runCommandLine(argv: readonly string[], environment: Environment = process.env): Promise<void> {
  try {
    const [node = '', program = '', command = '', ...args] = argv;
    const given = command === 'backfill' ? [node, program, command, ...withLongFlags(args)] : argv;
    const built = await buildProgram(environment, command === 'help' ? (args[0] ?? '') : command);
    await built.parseAsync(given);
  } catch (error) {
    if (!isMendable(error)) throw error;
    process.stderr.write(`memhall: ${error.message}\n`);
    process.exitCode = 1;
  }
}

function isMendable(error: unknown): error is Error {
  return error instanceof StartUpError || (error instanceof Problem && error.code !== 'INTERNAL');
}
