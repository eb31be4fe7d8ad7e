import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { packPackages } from '../../../../../scripts/package/pack-packages.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** Paths of the packed packages. */
    tarballs: string[];
    /** A registry with everything except our packages. */
    registryUrl: string;
  }
}

export const tools = fileURLToPath(new URL('../../../../../scripts/package/tools/', import.meta.url));

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = mkdtempSync(join(tmpdir(), 'memhall-packed-'));
  const platform = { os: process.platform, cpu: process.arch };
  project.provide('tarballs', await packPackages(join(directory, 'tarballs'), [platform]));
  const registry = spawn(
    process.execPath,
    [join(tools, 'registry.mjs'), directory, npmSetting('registry'), npmSetting('cafile')],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  project.provide('registryUrl', await firstLine(registry));
  return async () => {
    registry.stdin?.end();
    rmSync(directory, { recursive: true, force: true });
  };
}

function npmSetting(name: string): string {
  const value = execFileSync('npm', ['config', 'get', name], { stdio: ['ignore', 'pipe', 'ignore'] })
    .toString()
    .trim();
  return value === 'null' || value === 'undefined' ? '' : value;
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  for await (const chunk of stdout ?? []) return String(chunk).trim();
  throw new Error('the registry did not start');
}
