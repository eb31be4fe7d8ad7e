#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { runCommandLine } from '../dist/command/run-command-line.js';

// The default since Node 22. That of Node 20 optimizes parts of the embedded database that a short command does not need again.
if (process.version.startsWith('v20.')) setFlagsFromString('--wasm-tiering-budget=13000000');

// Whoever reads the output has seen enough, as with `memhall export --mine | head`.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(128 + 13); // what a shell shows for SIGPIPE
});
await runCommandLine(process.argv);
