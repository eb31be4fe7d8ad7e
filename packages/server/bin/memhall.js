#!/usr/bin/env node
import { runCommandLine } from '../dist/command/run-command-line.js';

await runCommandLine(process.argv);
