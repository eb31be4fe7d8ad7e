#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { runCommandLine } from '../dist/command/run-command-line.js';

// The default since Node 22. That of Node 20 optimizes parts of the embedded database that a short command does not need again.
if (process.version.startsWith('v20.')) setFlagsFromString('--wasm-tiering-budget=13000000');
await runCommandLine(process.argv);
