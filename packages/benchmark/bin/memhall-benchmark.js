#!/usr/bin/env node
import { runBenchmarkCommand } from '../dist/cli/run-benchmark-command.js';

process.exitCode = await runBenchmarkCommand(process.argv.slice(2), process);
