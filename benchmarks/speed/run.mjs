#!/usr/bin/env node
import { UsageError } from '../support/options.mjs';
import { readSpeedOptions } from './options.mjs';
import { runSpeed } from './speed.mjs';

try {
  const options = readSpeedOptions(process.argv.slice(2));
  if (options !== undefined) await runSpeed(options);
} catch (error) {
  console.error(error instanceof UsageError ? error.message : error);
  process.exitCode = 1;
}
