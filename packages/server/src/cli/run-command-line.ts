import { Problem, StartUpError } from '@memhall/core';
import { buildProgram } from './build-program.js';
import type { Environment } from './config-options.js';
import { withLongFlags } from './single-dash-flags.js';

/**
 * Runs one command. An error that the user can fix is printed as one sentence, with exit code 1. Any other error is
 * thrown with its stack.
 */
export async function runCommandLine(argv: readonly string[], environment: Environment = process.env): Promise<void> {
  try {
    const [node = '', program = '', command = '', ...args] = argv;
    const given = command === 'backfill' ? [node, program, command, ...withLongFlags(args)] : argv;
    const built = await buildProgram(environment, command === 'help' ? (args[0] ?? '') : command);
    await built.parseAsync(given);
  } catch (error) {
    if (!isFixable(error)) throw error;
    process.stderr.write(`memhall: ${error.message}\n`);
    process.exitCode = 1;
  }
}

function isFixable(error: unknown): error is Error {
  return error instanceof StartUpError || (error instanceof Problem && error.code !== 'INTERNAL');
}
