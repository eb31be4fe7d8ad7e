import { StartUpError } from '@memhall/core';
import { buildProgram } from './build-program.js';

/** Runs one command. What a person can mend is told in one sentence, with exit code 1; anything else keeps its stack. */
export async function runCommandLine(argv: readonly string[]): Promise<void> {
  try {
    await buildProgram(process.env).parseAsync(argv);
  } catch (error) {
    if (!(error instanceof StartUpError)) throw error;
    process.stderr.write(`memhall: ${error.message}\n`);
    process.exitCode = 1;
  }
}
