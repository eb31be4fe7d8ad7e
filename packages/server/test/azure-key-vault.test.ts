import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type RunningEngine, startEngine } from '../src/composition/start-engine.js';
import { getReplay, replayConversation } from '../src/engine/conversations/replay-conversation.js';
import { takeSnapshot } from '../src/engine/conversations/take-snapshot.js';
import { azureCredential } from '../src/providers/azure/azure-credential.js';
import { openKeyVaultWrapper } from '../src/providers/azure/key-vault-wrapper.js';
import { flagsOf, runCommand } from './support/command.js';
import { describeOneDatabase } from './support/databases.js';
import { callerOf } from './support/engine.js';
import { KeyVaultStandIn } from './support/key-vault-stand-in.js';
import { useManagedIdentity } from './support/managed-identity-stand-in.js';
import { pastEverything } from './support/past-everything.js';

const vault = new KeyVaultStandIn();
useManagedIdentity();
beforeAll(() => vault.start());
afterEach(() => {
  vault.state = 'ok';
});
afterAll(() => vault.stop());

describeOneDatabase('with a master key in Azure Key Vault', (database) => {
  const caller = callerOf('u1');

  async function withEngine<T>(settings: Record<string, string>, work: (running: RunningEngine) => Promise<T>) {
    const running = await startEngine(database().config(settings), pino({ level: 'silent' }));
    try {
      return await work(running);
    } finally {
      await running.close();
    }
  }

  const take = ({ engine }: RunningEngine) =>
    takeSnapshot({ ...engine, onReplayQueued: () => undefined }, caller, {
      conversationId: 'c',
      profileId: 'project-copilot-v1',
      messages: [{ id: 'm', role: 'user', content: 'My name is Dana.' }],
      replay: true,
    });

  async function outcomeOf({ engine }: RunningEngine, replayId: string | null): Promise<unknown> {
    await replayConversation(engine, { ...caller, replayId: replayId ?? '' });
    return getReplay(engine, caller, replayId ?? '');
  }

  const wrappedBy = async () =>
    (await pastEverything(database(), 'SELECT DISTINCT wrapped_by FROM memhall.tenant_keys')).map(
      (row) => (row as { wrapped_by: string }).wrapped_by,
    );

  it('wraps the keys of tenants, and rewraps them after the key was rotated or replaces a master key', async () => {
    const masterKey = randomBytes(32).toString('base64');
    const first = await withEngine({ masterKey }, take);
    const own = { keyVaultKey: vault.keyUrl };
    await expect(withEngine(own, take)).rejects.toThrow('encrypted with a master key other than');
    await withEngine({ ...own, masterKey }, async (running) => {
      expect(await outcomeOf(running, first.replayId)).toMatchObject({ status: 'completed' });
    });
    const rotate = (environment: Record<string, string>) =>
      runCommand(['keys', 'rotate', ...flagsOf(database())], { MEMHALL_KEY_VAULT_KEY: vault.keyUrl, ...environment });
    expect(await rotate({ MEMHALL_MASTER_KEY: masterKey })).toMatchObject({
      code: 0,
      stdout: 'Rotation complete: tenants=1 keys=1\n',
    });
    const second = await withEngine(own, take);
    const newest = vault.rotate();
    expect(await wrappedBy()).toEqual([expect.stringContaining(`${vault.keyUrl}/`)]);
    expect(await wrappedBy()).not.toEqual([newest]);
    await withEngine(own, async (running) => {
      expect(await outcomeOf(running, second.replayId)).toMatchObject({ status: 'completed' });
    });
    expect(await rotate({})).toMatchObject({ code: 0, stdout: 'Rotation complete: tenants=1 keys=1\n' });
    expect(await wrappedBy()).toEqual([newest]);
  });

  it('reports an outage as one, and works again after it', async () => {
    const own = { keyVaultKey: vault.keyUrl };
    const { replayId } = await withEngine(own, take);
    await withEngine(own, async (running) => {
      vault.state = 'failing';
      await expect(take(running)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      vault.state = 'denies';
      await expect(take(running)).rejects.toThrow('the key vault refuses to use the master key');
      vault.state = 'ok';
      expect(await outcomeOf(running, replayId)).toMatchObject({ status: 'completed' });
    });
  });
});

describe('a key in Azure Key Vault', () => {
  const open = async () =>
    openKeyVaultWrapper({ keyUrl: vault.keyUrl, credential: await azureCredential(), previous: undefined });

  it('binds a wrapped key to its context and detects changes', async () => {
    const wrapper = await open();
    const key = randomBytes(32);
    const wrapped = await wrapper.wrap(key, 't1');
    expect(await wrapper.unwrap(wrapped, 't1', wrapper.keyId)).toEqual(key);
    const altered = Buffer.from(wrapped);
    altered[altered.length - 1] = (altered.at(-1) ?? 0) ^ 1;
    for (const [stored, context, keyId] of [
      [wrapped, 't2', wrapper.keyId],
      [altered, 't1', wrapper.keyId],
      [wrapped.subarray(0, 1), 't1', wrapper.keyId],
      [Buffer.concat([wrapped.subarray(0, 2), randomBytes(256), wrapped.subarray(258)]), 't1', wrapper.keyId],
      [wrapped, 't1', 'https://other.vault.azure.net/keys/memhall/1'],
    ] as const)
      await expect(wrapper.unwrap(stored, context, keyId)).rejects.toMatchObject({ name: 'KeyUnavailableError' });
  });

  it('must be readable when the server starts', async () => {
    vault.state = 'denies';
    await expect(open()).rejects.toThrow(/^Azure Key Vault at \S+ denies access to the key "memhall": .+ wrapKey/);
    vault.state = 'failing';
    await expect(open()).rejects.toThrow(/^The key "memhall" of Azure Key Vault at \S+ cannot be used: check/);
  });
});
