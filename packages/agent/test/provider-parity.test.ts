import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  type Owner,
  type ProviderModule,
  type ProviderUnderTest,
  providerSuite,
  type Report,
  runSuite,
  toHumanReport,
} from '@memhall/conformance';
import { fromTierLabel } from '@memhall/core';
import { describe, expect, it } from 'vitest';
import { startExample } from '../../conformance/test/support/example-plugin.js';
import { SecretText } from '../src/configuration/secret-text.js';
import { HttpProvider } from '../src/provider/http/http-provider.js';
import { JsonConnection } from '../src/provider/http/json-connection.js';
import { LocalProvider } from '../src/provider/local/local-provider.js';
import { toPluginPlace } from '../src/provider/plugin/plugin-place.js';
import { PluginProvider } from '../src/provider/plugin/plugin-provider.js';
import { PluginShelf } from '../src/provider/plugin/plugin-shelf.js';
import type { Provider } from '../src/provider/provider.js';
import { startProviderServer } from './support/provider-server.js';
import { useTemporaryDirectory } from './support/temporary-directory.js';
import { useMemoryTools } from './support/use-memory-tools.js';

const directory = useTemporaryDirectory();
const timeoutMs = 60_000;
const rootOf = ({ agentId }: { agentId: string }) => join(directory(), agentId);
const crewRootOf = ({ crewId }: { crewId: string }) => join(directory(), crewId);

/** The suite does not know these types and accepts any object. */
function underTest(provider: Provider): ProviderUnderTest {
  return provider as unknown as ProviderUnderTest;
}

async function plantFile(owner: Owner, label: string, text: string): Promise<void> {
  const path = join(label === 'CREW.md' ? crewRootOf(owner) : rootOf(owner), label);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function absentIn(report: Report): string[] {
  return report.groups
    .flatMap(({ requirements }) => requirements)
    .filter(({ verdict }) => verdict === 'absent')
    .map(({ id }) => id.slice('PROVIDER-'.length));
}

async function expectParity(module: ProviderModule, absent: readonly string[]): Promise<void> {
  const report = await runSuite(providerSuite, { module });
  expect(report.isPassed, toHumanReport(report)).toBe(true);
  expect(absentIn(report)).toEqual(absent);
  expect(report.leftBehind).toEqual([]);
}

/** A plugin without text search: it does not declare the capability and rejects queries. */
const withoutWords = [
  { file: 'plugin.mjs', find: "['embedding', 'fts', 'ttl',", put: "['embedding', 'ttl'," },
  { file: 'serve.mjs', find: "demand(typeof query === 'string',", put: "demand(query === ''," },
];

describe('the contract is met', () => {
  const remove = async (owner: Owner) => {
    for (const root of [rootOf(owner), crewRootOf(owner)]) rmSync(root, { recursive: true, force: true });
  };

  it('by files on disk', async () => {
    const module: ProviderModule = {
      createProvider: (owner) =>
        underTest(new LocalProvider({ root: rootOf(owner), crewRoot: crewRootOf(owner), ...owner })),
      plant: plantFile,
      removeOwner: remove,
    };
    await expectParity(module, ['FORGET-06', 'OWNER-05', 'SCAN-08', 'PAR-03']);
  }, 120_000);

  it('by files on disk without a directory of the crew', async () => {
    const module: ProviderModule = {
      createProvider: (owner) => underTest(new LocalProvider({ root: rootOf(owner), ...owner })),
      plant: plantFile,
      removeOwner: remove,
    };
    await expectParity(module, ['FORGET-06', 'OWNER-04', 'SCAN-08', 'PAR-03']);
  }, 120_000);

  it('by a server over HTTP', async () => {
    const server = await startProviderServer((owner) => ({ root: rootOf(owner), crewRoot: crewRootOf(owner) }));
    const module: ProviderModule = {
      createProvider: (owner) => underTest(new HttpProvider({ url: server.url, token: 'secret-token', ...owner })),
      plant: plantFile,
    };
    try {
      await expectParity(module, ['FORGET-07', 'OWNER-05', 'SCAN-08', 'PAR-03']);
    } finally {
      await server.close();
    }
  }, 120_000);

  it.each([
    ['a port', { socket: false }],
    ['a socket', { socket: true }],
    ['a port, without fts', { edits: withoutWords }],
  ])(
    'by a memory plugin on %s',
    async (_place, options) => {
      const { url, token, stop } = await startExample(options);
      const module: ProviderModule = {
        createProvider: (owner) => underTest(new PluginProvider({ url, token, timeoutMs, ...owner })),
        async plant(owner, label, text) {
          const named = fromTierLabel(label);
          if (named === undefined) throw new Error(`${label} is not a label`);
          const connection = new JsonConnection({ url, token: new SecretText(token), timeoutMs });
          await new PluginShelf(owner, connection).write(toPluginPlace(owner, { ...named, label }), { label, text });
          connection.close();
        },
      };
      try {
        await expectParity(module, ['FORGET-06', 'OWNER-05', 'SCAN-07', 'PAR-02']);
      } finally {
        await stop();
      }
    },
    120_000,
  );
});

describe('a model gets the same tool results', () => {
  const owner = { workspaceId: 'w1', agentId: 'a1', crewId: 'c1' };

  it('over files', async () => {
    await useMemoryTools(new LocalProvider({ root: rootOf(owner), ...owner }), owner);
  });

  it.each([
    ['a memory plugin', []],
    ['a memory plugin without fts', withoutWords],
  ])('over %s', async (_name, edits) => {
    const { url, token, stop } = await startExample({ edits });
    try {
      await useMemoryTools(new PluginProvider({ url, token, ...owner }), owner);
    } finally {
      await stop();
    }
  });
});
