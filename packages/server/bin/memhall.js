#!/usr/bin/env node
import { runCommandLine } from '../dist/command/run-command-line.js';

// Whoever reads the output has seen enough, as with `memhall export --mine | head`.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(128 + 13); // what a shell shows for SIGPIPE
});
await runCommandLine(process.argv);
