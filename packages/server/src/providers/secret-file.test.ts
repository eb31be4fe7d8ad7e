import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readMasterKeys } from './master-key-file.js';
import { newMasterKey } from './master-key-wrapper.js';
import { findSecretFault, readOrCreateSecret } from './secret-file.js';

describe('findSecretFault', () => {
  const file = (uid: number, mode: number) => findSecretFault('/data/jwt-secret', { uid, mode: 0o100000 | mode }, 1000);

  it('accepts a file of this user or of root that others cannot write', () => {
    expect([file(1000, 0o600), file(0, 0o640), file(1000, 0o644)]).toEqual([undefined, undefined, undefined]);
  });

  it('names a file of another user', () => {
    expect(file(1001, 0o600)).toBe(
      'The secret in /data/jwt-secret belongs to another user (uid 1001), who may know it. Delete the file to get a new secret, or run: chown 1000 /data/jwt-secret',
    );
    expect(findSecretFault('s', { uid: 1001, mode: 0o600 }, 0)).toMatch(/uid 1001/);
  });

  it('names a file that everyone can write', () => {
    expect(file(1000, 0o602)).toBe(
      'The secret in /data/jwt-secret can be replaced by every user of this machine. Run: chmod 600 /data/jwt-secret',
    );
  });

  it('ignores owners where the system has none', () => {
    expect(findSecretFault('s', { uid: 5, mode: 0o666 }, undefined)).toBeUndefined();
  });
});

describe('secrets in files', () => {
  const directory = mkdtempSync(join(tmpdir(), 'memhall-test-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it('are refused while everyone can write them', async () => {
    const path = join(directory, 'jwt-secret');
    const secret = await readOrCreateSecret(path);
    chmodSync(path, 0o666);
    await expect(readOrCreateSecret(path)).rejects.toThrow(`chmod 600 ${path}`);
    chmodSync(path, 0o600);
    expect(await readOrCreateSecret(path)).toBe(secret);
  });

  it.each(['master-key', 'master-key.previous'])('are refused in %s as well', async (name) => {
    const path = join(directory, name);
    writeFileSync(path, `${newMasterKey()}\n`);
    chmodSync(path, 0o666);
    await expect(readMasterKeys(directory)).rejects.toThrow(`chmod 600 ${path}`);
    chmodSync(path, 0o600);
    expect(await readMasterKeys(directory)).not.toHaveLength(0);
  });
});
