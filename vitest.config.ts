import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './packages/server/test/support/longest-first.js';

/** Next to the source, but with the model behind it: seconds rather than milliseconds. */
const withModel = 'packages/server/src/**/*minilm*.test.ts';

export default defineConfig({
  resolve: { conditions: ['memhall-source'] },
  ssr: { resolve: { conditions: ['memhall-source'] } },
  test: {
    // Files of a worker share what they import: they leave nothing behind in it.
    isolate: false,
    experimental: { fsModuleCache: true },
    setupFiles: process.env.CPU_LOG ? ['/tmp/cpu-setup.ts'] : [],
    sequence: { sequencer: LongestFirst },
    // Files mostly wait for databases and child processes of their own: one more than there are processors fits in.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: [withModel],
        },
      },
      {
        extends: true,
        test: { name: 'package', include: ['packages/{agent,conformance,core}/test/*.test.ts', withModel] },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['packages/{client,server}/test/*.test.ts', 'packages/agent/test/server/*.test.ts'],
          globalSetup: ['packages/server/test/support/global-setup.ts'],
          // Embedded databases live for seconds here: optimising their code takes longer than it ever saves.
          execArgv: ['--liftoff-only'],
          env: {
            NODE_OPTIONS: `--require ${fileURLToPath(new URL('packages/server/test/support/short-lived.cjs', import.meta.url))}`,
          },
        },
      },
    ],
  },
});
