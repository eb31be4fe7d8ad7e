#!/usr/bin/env node
import { runDocuments } from './documents.mjs';
import { runPlugin } from './plugin.mjs';
import { operations as documentOperations } from './support/document-operations.mjs';
import { readOptions, UsageError } from './support/options.mjs';
import { runWorkingMemory } from './working-memory.mjs';

/** @type {Record<string, { operations: string[], run: (options: import('./support/options.mjs').Options) => Promise<void> }>} */
const benchmarks = {
  'working-memory': { operations: ['put', 'get'], run: runWorkingMemory },
  plugin: { operations: ['write', 'search'], run: runPlugin },
  documents: { operations: Object.keys(documentOperations), run: runDocuments },
};

try {
  const options = readOptions(process.argv.slice(2), benchmarks);
  if (options !== undefined) await benchmarks[options.benchmark]?.run(options);
} catch (error) {
  console.error(error instanceof UsageError ? error.message : error);
  process.exitCode = 1;
}
