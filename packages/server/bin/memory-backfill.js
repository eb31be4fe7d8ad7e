#!/usr/bin/env node
import { runCommandLine } from '../dist/cli/run-command-line.js';

const [node, program, ...args] = process.argv;
await runCommandLine([node, program, 'backfill', ...args]);
