import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './packages/server/test/support/longest-first.js';

/** Agent, client and conformance tests that need a server stand in a folder of their own. */
const withoutDatabase = [
  'packages/*/src/**/*.test.ts',
  'packages/{agent,client,conformance,core}/test/*.test.ts',
  'scripts/**/*.test.ts',
];
const needServer =
  'packages/{agent,client}/test/{real-gateway,http-provider-server,langgraph,memory-client,agent-memory-client,state-client,documents-client}.test.ts';
const withDatabases = ['packages/server/test/*.test.ts', needServer];

export default defineConfig({
  resolve: { conditions: ['memhall-source'] },
  ssr: { resolve: { conditions: ['memhall-source'] } },
  test: {
    sequence: { sequencer: LongestFirst },
    isolate: false,
    setupFiles: process.env.CPU_LOG ? ['/tmp/cpu-setup.ts'] : [],
    experimental: { fsModuleCache: true },
    // Files mostly wait for databases and child processes of their own: one more than there are processors fits in.
    maxWorkers: availableParallelism() + 1,
    // Embedded databases live for seconds here: optimising their code takes longer than it ever saves.
    execArgv: ['--liftoff-only'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: { name: 'unit', execArgv: [], include: withoutDatabase, exclude: [needServer] } },
      {
        extends: true,
        test: { name: 'server', include: withDatabases, globalSetup: ['packages/server/test/support/global-setup.ts'] },
      },
    ],
  },
});
