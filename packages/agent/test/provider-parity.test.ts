import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  type Owner,
  type ProviderModule,
  providerSuite,
  type Report,
  runSuite,
  toHumanReport,
} from '@memhall/conformance';
import { expect, it } from 'vitest';
import { LocalProvider } from '../src/provider/local/local-provider.js';
import { useTemporaryDirectory } from './support/temporary-directory.js';

const directory = useTemporaryDirectory();

function absentIn(report: Report): string[] {
  return report.groups
    .flatMap(({ requirements }) => requirements)
    .filter(({ verdict }) => verdict === 'absent')
    .map(({ id }) => id);
}

async function expectParity(module: ProviderModule, absent: readonly string[]): Promise<void> {
  const report = await runSuite(providerSuite, { module });
  expect(report.isPassed, toHumanReport(report)).toBe(true);
  expect(absentIn(report)).toEqual(absent);
  expect(report.leftBehind).toEqual([]);
}

it('files on disk keep the contract', async () => {
  const rootOf = ({ agentId }: Owner) => join(directory(), agentId);
  await expectParity(
    {
      createProvider: (owner) => new LocalProvider({ root: rootOf(owner), ...owner }) as never,
      async plant(owner, label, text) {
        const path = join(rootOf(owner), label);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, text);
      },
      async removeOwner(owner) {
        rmSync(rootOf(owner), { recursive: true, force: true });
      },
    },
    ['PROVIDER-FORGET-06', 'PROVIDER-SCAN-08', 'PROVIDER-PAR-03'],
  );
});
