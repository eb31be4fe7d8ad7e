import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './packages/server/test/support/longest-first.js';

export default defineConfig({
  resolve: { conditions: ['memhall-source'] },
  ssr: { resolve: { conditions: ['memhall-source'] } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts', 'scripts/**/*.test.ts'],
    globalSetup: ['packages/server/test/support/global-setup.ts'],
    sequence: { sequencer: LongestFirst },
    // Files mostly wait for databases and child processes of their own: one more than there are processors fits in.
    maxWorkers: availableParallelism() + 1,
    // Embedded databases live for seconds here: optimising their code takes longer than it ever saves.
    execArgv: ['--liftoff-only'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
