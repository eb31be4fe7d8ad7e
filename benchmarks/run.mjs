#!/usr/bin/env node
import { runDocuments } from './documents.mjs';
import { gatewayOperations, runGateway } from './gateway.mjs';
import { operations as documentOperations } from './support/document-operations.mjs';
import { readOptions, UsageError } from './support/options.mjs';
import { runWorkingMemory } from './working-memory.mjs';

/** @type {Record<string, { operations: string[], run: (options: import('./support/options.mjs').Options) => Promise<void> }>} */
const benchmarks = {
  'working-memory': { operations: ['put', 'get'], run: runWorkingMemory },
  documents: { operations: Object.keys(documentOperations), run: runDocuments },
  gateway: { operations: gatewayOperations, run: runGateway },
};

try {
  const options = readOptions(process.argv.slice(2), benchmarks);
  if (options !== undefined) await benchmarks[options.benchmark]?.run(options);
} catch (error) {
  console.error(error instanceof UsageError ? error.message : error);
  process.exitCode = 1;
}
