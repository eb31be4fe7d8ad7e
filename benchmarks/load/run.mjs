#!/usr/bin/env node
import { loadavg } from 'node:os';
import { Cleanups } from '../support/cleanups.mjs';
import { UsageError } from '../support/options.mjs';
import { describeMachine, round, writeResult } from '../support/report.mjs';
import { modes } from './modes.mjs';
import { readLoadOptions } from './options.mjs';
import { startTarget } from './start-target.mjs';
import { toReport } from './to-report.mjs';

/** @param {import('./options.mjs').LoadOptions} options */
async function run(options) {
  const cleanups = new Cleanups();
  const say = (/** @type {string} */ text) => console.error(`${options.database}: ${text}`);
  try {
    const loadBefore = round(loadavg()[0] ?? 0, 1);
    const target = await startTarget(options, cleanups, say);
    await target.grow(options.sizes[0] ?? 0);
    if (options.mode !== 'find') await target.useNodes(options.nodes[0] ?? 1);
    const result = await modes[options.mode](target, options, say);
    const { profileDirectory: _, ...settings } = options;
    const whole = {
      benchmark: 'load',
      date: new Date().toISOString().slice(0, 10),
      machine: describeMachine(),
      loadBefore,
      settings,
      ...result,
    };
    console.log(toReport(whole));
    console.log(`\nWritten to ${writeResult(`load-${options.name}`, whole)}`);
  } finally {
    await cleanups.run();
  }
}

try {
  const options = readLoadOptions(process.argv.slice(2));
  if (options !== undefined) await run(options);
} catch (error) {
  console.error(error instanceof UsageError ? error.message : error);
  process.exitCode = 1;
}
