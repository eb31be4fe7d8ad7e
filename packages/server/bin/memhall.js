#!/usr/bin/env node
import { runCommandLine } from '../dist/cli/run-command-line.js';

await runCommandLine(process.argv);
