import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { TargetUnreachable, WrongUse } from '../src/faults.js';
import { providerSuite } from '../src/provider/provider-suite.js';
import { toHumanReport } from '../src/report/human-report.js';
import type { Report } from '../src/report/report.js';
import { runSuite } from '../src/run-suite.js';
import { type ProviderFault, providerFaults } from './support/provider-faults.js';

const example = fileURLToPath(new URL('../../../examples/providers/in-memory/provider.mjs', import.meta.url));
const core = pathToFileURL(fileURLToPath(new URL('../../core/dist/index.js', import.meta.url))).href;
const directory = mkdtempSync(join(tmpdir(), 'memhall-provider-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** Writes a copy of the example with a mistake. Throws unless the mistake changes exactly one place. */
function breakExample({ name, find, put }: ProviderFault): string {
  const parts = readFileSync(example, 'utf8').split(find);
  if (parts.length !== 2) throw new Error(`the example has ${parts.length - 1} places like ${JSON.stringify(find)}`);
  return write(`${name.replaceAll(/\W+/g, '-')}.mjs`, parts.join(put).replace("'@memhall/core'", JSON.stringify(core)));
}

function write(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

function brokenIn(report: Report): string[] {
  return report.groups
    .flatMap(({ requirements }) => requirements)
    .filter(({ verdict }) => verdict === 'failed' || verdict === 'warned')
    .map(({ id }) => id);
}

it('the example provider meets the whole contract', async () => {
  const report = await runSuite(providerSuite, { module: example });
  expect(report.counts, toHumanReport(report)).toMatchObject({ passed: 67, absent: 4, failed: 0, warned: 0 });
  expect(report.leftBehind).toEqual([]);
});

describe('a provider that', () => {
  it.each(providerFaults)('$name is caught by exactly the requirements it breaks', async (fault) => {
    const report = await runSuite(providerSuite, { module: breakExample(fault) });
    const broken = brokenIn(report);
    const { breaks, also = [] } = fault;
    expect(broken, toHumanReport(report)).toEqual(expect.arrayContaining([...breaks]));
    if (also === 'anything') return;
    const allowed: readonly string[] = [...breaks, ...also];
    expect(
      broken.filter((id) => !allowed.includes(id)),
      toHumanReport(report),
    ).toEqual([]);
  });
});

describe('a module that', () => {
  it('is missing is distinguished from one that fails', async () => {
    await expect(runSuite(providerSuite, { module: join(directory, 'nowhere.mjs') })).rejects.toThrow(
      TargetUnreachable,
    );
  });

  it('creates no provider is rejected before the first case', async () => {
    const [empty, wrong] = [
      write('empty.mjs', 'export {};'),
      write('wrong.mjs', 'export const createProvider = () => 7;'),
    ];
    await expect(runSuite(providerSuite, { module: empty })).rejects.toThrow(WrongUse);
    await expect(runSuite(providerSuite, { module: wrong })).rejects.toThrow(TargetUnreachable);
  });
});
