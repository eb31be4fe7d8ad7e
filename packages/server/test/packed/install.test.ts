import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Consumer, tarballOf } from './support/consumer.js';
import { nodeProgram, nodeVersions } from './support/node-versions.js';

const megabyte = 1_000_000;
const threeLines = `
import { openMemhall } from 'memhall';

const memory = (await openMemhall()).as({ user: 'me' });
await memory.remember('I take my tea without milk.');
const [best] = await memory.recall('What do I drink?');
console.log(best.memory.content);
`;

describe.each(nodeVersions)('memhall in an empty project on Node %s', (version) => {
  let consumer: Consumer;
  let output = '';

  beforeAll(async () => {
    consumer = new Consumer(nodeProgram(version));
    output = await consumer.install(tarballOf('memhall'));
  }, 120_000);

  afterAll(() => consumer.remove());

  it('installs without a warning or a script', () => {
    expect(output).toMatch(/added \d+ packages/);
    expect(output).not.toMatch(/warn|error/i);
    expect(Object.values(consumer.installed()).filter(({ hasInstallScript }) => hasInstallScript)).toEqual([]);
  });

  it('takes at most 150 MB and 10 packages, none of them ours', () => {
    const names = Object.keys(consumer.installed());
    expect(names.length).toBeLessThanOrEqual(10);
    expect(names.filter((name) => name.includes('memhall'))).toEqual(['node_modules/memhall']);
    expect(consumer.sizeBytes()).toBeLessThan(150 * megabyte);
  });

  it('has a license, a README and no source maps', () => {
    const files = readdirSync(join(consumer.directory, 'node_modules/memhall'), { recursive: true, encoding: 'utf8' });
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'THIRD-PARTY-LICENSES.txt']));
    expect(files.filter((path) => path.endsWith('.map'))).toEqual([]);
  });

  it('remembers and recalls in three lines, and ends', async () => {
    consumer.write('three-lines.js', threeLines);
    const first = await consumer.run('three-lines.js');
    expect(first).toEqual({ stdout: 'I take my tea without milk.\n', stderr: '' });
    expect((await consumer.run('three-lines.js')).stdout).toBe('I take my tea without milk.\n');
  });

  it('runs the model natively', async () => {
    const { stdout } = await consumer.run('node_modules/memhall/bin/memhall.js', 'doctor');
    expect(stdout).toMatch(/^ok +embedder: all-MiniLM-L6-v2, 384 dimensions, on onnxruntime-node/m);
  });

  it('loads no web server for the library', () => {
    const modules = staticImports(join(consumer.directory, 'node_modules/memhall/dist/index.js'));
    expect(modules.size).toBeGreaterThan(10);
    expect([...modules].filter(hasWebServer)).toEqual([]);
    const command = join(consumer.directory, 'node_modules/memhall/dist/chunks');
    expect(readdirSync(command).filter((name) => hasWebServer(join(command, name)))).toHaveLength(1);
  });

  it('says which packages are missing for Azure and for tracing', async () => {
    consumer.write(
      'azure.js',
      `import { openMemhall } from 'memhall';
      await openMemhall({ embedder: 'none', environment: { MEMHALL_KEY_VAULT_KEY: 'https://v.vault.azure.net/keys/k' } })
        .catch((error) => console.log(error.message));`,
    );
    expect((await consumer.run('azure.js')).stdout).toContain('npm install @azure/identity @azure/keyvault-keys');
  });
});

/** Returns the modules that are loaded with a module. */
function staticImports(path: string, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found;
  found.add(path);
  const imports = readFileSync(path, 'utf8').matchAll(/^(?:import|export)\b[^'"]*['"](\.[^'"]+)['"]/gm);
  for (const [, specifier = ''] of imports) staticImports(join(dirname(path), specifier), found);
  return found;
}

function hasWebServer(path: string): boolean {
  return /Symbol\(["']fastify\./.test(readFileSync(path, 'utf8'));
}
