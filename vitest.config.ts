import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { AttackReporter } from './packages/server/test/support/attack-reporter.js';
import { builtFiles, builtPackages, isBuilt } from './packages/server/test/support/built-packages.js';
import { LongestFirst } from './packages/server/test/support/longest-first.js';

/** Unit tests that load the embedding model take seconds instead of milliseconds. */
const withModel = 'packages/server/src/**/*{minilm,model-process,onnx-embedder}*.test.ts';

/** Kills during replays, gateway requests, imports and backfills. Short runs kill during plain writes, patches and erasures. */
const killSeries = 'packages/server/test/{lifecycle,gateway,import,backfill}-kill.test.ts';
/** About sessions of the database, or about what is between it and Memhall. */
const sessionTests = 'packages/server/test/{backup,compact,outage,pooler}.test.ts';
/** About databases that are made without the template, or about the roles of one that is not distributed. */
const undistributedTests = 'packages/server/test/{migrations,upgrade,distributed,jobs}.test.ts';
const isDistributed = process.env.MEMHALL_TEST_CITUS !== undefined;
const isPooled = process.env.MEMHALL_TEST_POOLER !== undefined;
const isLong = process.env.MEMHALL_TEST_LONG !== undefined;

/** Projects inherit the number of this file, so the flag of the command line has to be read here. */
const givenWorkers = /--max-?workers[= ](\d+%?)/i.exec(process.argv.join(' '))?.[1];

export default defineConfig({
  // `npx vitest` runs the sources, `npm test` what it has just built from them.
  ...(isBuilt
    ? { plugins: [builtPackages] }
    : { resolve: { conditions: ['memhall-source'] }, ssr: { resolve: { conditions: ['memhall-source'] } } }),
  test: {
    server: { deps: { external: [builtFiles] } },
    // Test files share the modules of their worker, so a test must undo what it changes in them and in `process`.
    isolate: false,
    reporters: ['default', new AttackReporter()],
    experimental: { fsModuleCache: true },
    sequence: { sequencer: LongestFirst },
    // Some test files wait most of the time, so there are two workers more than there are processors.
    maxWorkers: givenWorkers ?? availableParallelism() + 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'scripts/**/*.test.ts', 'benchmarks/*/*.test.ts'],
          exclude: [withModel, '**/node_modules/**'],
        },
      },
      {
        extends: true,
        test: {
          name: 'package',
          include: [
            'packages/{agent,benchmark,conformance,core}/test/*.test.ts',
            'packages/server/test/cluster/history/*.test.ts',
            withModel,
          ],
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: [
            'packages/{client,server}/test/*.test.ts',
            'packages/server/test/attack/*.test.ts',
            'packages/{agent,benchmark}/test/server/*.test.ts',
          ],
          exclude: [
            ...(isLong ? [] : [killSeries]),
            ...(isPooled ? [sessionTests] : []),
            ...(isDistributed ? [undistributedTests] : []),
          ],
          globalSetup: ['packages/server/test/support/global-setup.ts'],
          // Long runs check every statement against the rules of a distributed database.
          setupFiles:
            isLong || process.env.MEMHALL_TEST_STATEMENTS !== undefined
              ? ['packages/server/test/support/check-statements.ts']
              : [],
          // Embedded databases live for seconds here, too short for optimised WebAssembly to pay off.
          execArgv: ['--liftoff-only'],
          env: {
            NODE_OPTIONS: `--require ${fileURLToPath(new URL('packages/server/test/support/short-lived.cjs', import.meta.url))}`,
          },
        },
      },
      // Builds an image and renders a chart, with tools that scripts/install-deploy-tools.sh installs.
      ...(isLong
        ? [{ extends: true as const, test: { name: 'deploy', include: ['packages/server/test/deploy/*.test.ts'] } }]
        : []),
      // Runs a cluster of network namespaces, with tools that scripts/install-cluster.sh installs.
      ...(isLong
        ? [{ extends: true as const, test: { name: 'cluster', include: ['packages/server/test/cluster/*.test.ts'] } }]
        : []),
      // Drives Chromium, which scripts/install-chromium.sh installs.
      ...(process.env.MEMHALL_TEST_BROWSER === undefined
        ? []
        : [
            {
              extends: true as const,
              test: {
                name: 'browser',
                include: ['packages/console/test/*.test.ts'],
                globalSetup: ['packages/server/test/support/global-setup.ts'],
                testTimeout: 120_000,
                hookTimeout: 120_000,
              },
            },
          ]),
      // Runs frameworks that `npm run test:frameworks` installs.
      ...(process.env.MEMHALL_TEST_FRAMEWORKS === undefined
        ? []
        : [
            {
              extends: true as const,
              test: {
                name: 'frameworks',
                include: ['packages/agent/test/frameworks/*.test.ts'],
                globalSetup: [
                  'packages/server/test/support/global-setup.ts',
                  'packages/agent/test/frameworks/support/global-setup.ts',
                ],
                testTimeout: 300_000,
              },
            },
          ]),
      // Installs the packages as users do, with tools that `npm run test:package` installs.
      ...(process.env.MEMHALL_TEST_PACKAGES === undefined
        ? []
        : [
            {
              extends: true as const,
              test: {
                name: 'packed',
                include: ['packages/server/test/packed/*.test.ts'],
                globalSetup: ['packages/server/test/packed/support/global-setup.ts'],
                hookTimeout: 180_000,
                testTimeout: 180_000,
              },
            },
          ]),
    ],
  },
});
