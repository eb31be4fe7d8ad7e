#!/usr/bin/env node
import { runLocalCommand } from '../dist/cli/run-local-command.js';

process.exitCode = await runLocalCommand(process.argv.slice(2), process);
