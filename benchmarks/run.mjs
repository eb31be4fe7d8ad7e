#!/usr/bin/env node
import { readOptions, UsageError } from './support/options.mjs';
import { runWorkingMemory } from './working-memory.mjs';

/** @type {Record<string, (options: import('./support/options.mjs').Options) => Promise<void>>} */
const benchmarks = { 'working-memory': runWorkingMemory };

try {
  const options = readOptions(process.argv.slice(2), Object.keys(benchmarks));
  if (options !== undefined) await benchmarks[options.benchmark]?.(options);
} catch (error) {
  console.error(error instanceof UsageError ? error.message : error);
  process.exitCode = 1;
}
