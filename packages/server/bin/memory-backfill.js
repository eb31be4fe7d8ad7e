#!/usr/bin/env node
import { runCommandLine } from '../dist/command/run-command-line.js';

await runCommandLine([...process.argv.slice(0, 2), 'backfill', ...process.argv.slice(2)]);
