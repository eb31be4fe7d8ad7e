import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openAzureBlob } from '../src/providers/artifact-stores/open-azure-blob.js';
import { newContainer, startSecureAzurite, useAzurite } from './support/azurite.js';
import { runCommand, runProgram } from './support/command.js';
import { useManagedIdentity } from './support/managed-identity-stand-in.js';

describe('memhall doctor, with artifacts in Azure Blob Storage', () => {
  const azurite = useAzurite();
  const identity = useManagedIdentity();
  const directory = mkdtempSync(join(tmpdir(), 'memhall-test-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  const examine = (environment: Record<string, string>) =>
    runCommand(
      ['doctor', '--port', '0', '--plugin-port', 'off', '--embedder', 'none', '--data', join(directory, 'x')],
      {
        MEMHALL_ARTIFACTS: 'azure-blob',
        MEMHALL_AZURE_STORAGE_CONNECTION_STRING: azurite().connectionString(),
        ...environment,
      },
    );

  it('reports the container and does not create it', async () => {
    const container = newContainer();
    const before = await examine({ MEMHALL_AZURE_CONTAINER: container });
    expect(before.stdout).toMatch(
      new RegExp(`ok {4}artifacts: container "${container}" .+ will be created on first start`),
    );
    await openAzureBlob({ account: { connectionString: azurite().connectionString() }, container });
    const after = await examine({ MEMHALL_AZURE_CONTAINER: container });
    expect(after.stdout).toMatch(
      new RegExp(`ok {4}artifacts: container "${container}" in Azure .+ at 127.0.0.1:\\d+\\n`),
    );
    expect(after.stdout).not.toContain('AccountKey');
  });

  it('names the setting that is wrong', async () => {
    const wrongKey = azurite()
      .connectionString()
      .replace(/AccountKey=[^;]+/, 'AccountKey=d3Jvbmc=');
    const refused = await examine({ MEMHALL_AZURE_STORAGE_CONNECTION_STRING: wrongKey });
    expect(refused.code).toBe(1);
    expect(refused.stdout).toMatch(/FAIL {2}artifacts: .+check MEMHALL_AZURE_STORAGE_CONNECTION_STRING/);
    const missing = await examine({ MEMHALL_AZURE_STORAGE_CONNECTION_STRING: '' });
    expect(missing.code).toBe(1);
    expect(missing.stderr).toContain('requires MEMHALL_AZURE_STORAGE_CONNECTION_STRING');
  });

  it('uses the identity of the process instead of a connection string', async () => {
    const { url, certificate } = await startSecureAzurite(directory);
    const container = newContainer();
    const args = ['doctor', '--port', '0', '--plugin-port', 'off', '--data', join(directory, 'y')];
    const { stdout } = await runProgram(args, {
      MEMHALL_ARTIFACTS: 'azure-blob',
      MEMHALL_AZURE_STORAGE_URL: url,
      MEMHALL_AZURE_CONTAINER: container,
      NODE_EXTRA_CA_CERTS: certificate,
      ...identity().environment,
    });
    expect(stdout).toMatch(new RegExp(`ok {4}artifacts: container "${container}" .+ will be created on first start`));
    expect(identity().issuedFor).toContain('https://storage.azure.com');
  });
});
