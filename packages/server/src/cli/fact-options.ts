import type { Command } from 'commander';
import type { Caller } from '../engine/caller.js';
import { readingOf } from '../engine/one-memory/reading.js';
import { momentOption } from './memory-options.js';
import { addOwnerOptions, memberOf, type OwnerOptions } from './memory-owner.js';

/** Whose facts a command reads, and when the question is about. */
export interface FactCommandOptions extends OwnerOptions {
  asOf?: Date;
  knownAt?: Date;
  json?: true;
}

export function addFactOptions(command: Command): Command {
  command
    .addOption(momentOption('--as-of <date>', 'What was true at this time', 'end'))
    .addOption(momentOption('--known-at <date>', 'What was known at this time', 'end'))
    .option('--json', 'Print JSON, as in the HTTP API.');
  return addOwnerOptions(command);
}

/** Returns a caller that may read everything the user may: any of that can be evidence. */
export function readerOf(options: OwnerOptions, operation: `cli.${string}`): Caller {
  return readingOf(memberOf(options, operation)).reader;
}
