import { loadOptional, StartUpError } from '@memhall/core';
import type { Logger } from 'pino';
import type { Config } from '../config/settings.js';
import { TenantCipher } from '../engine/conversations/tenant-cipher.js';
import type { KeyWrapper } from '../ports/key-wrapper.js';
import type { Store } from '../ports/store.js';
import { azureCredential } from '../providers/azure/azure-credential.js';
import { hasMasterKey, readMasterKeys, replaceMasterKey } from '../providers/master-key-file.js';
import { MasterKeyWrapper, parseMasterKey } from '../providers/master-key-wrapper.js';
import { PostgresStore } from '../store/postgres/postgres-store.js';
import { openDatabase } from './open-database.js';

/** Returns a wrapper for the key in a key vault, the configured master key, or the one stored in the data directory. */
export async function openKeyWrapper(config: Config): Promise<KeyWrapper> {
  if (config.keyVaultKey === undefined) return openMasterKey(config);
  const { openKeyVaultWrapper } = await loadOptional(
    'Azure Key Vault',
    ['@azure/identity', '@azure/keyvault-keys'],
    () => import('../providers/azure/key-vault-wrapper.js'),
  );
  const hasOlder = config.masterKey !== undefined || hasMasterKey(config.dataDirectory);
  return openKeyVaultWrapper({
    keyUrl: config.keyVaultKey,
    credential: await azureCredential(),
    previous: hasOlder ? await openMasterKey(config) : undefined,
  });
}

async function openMasterKey(config: Config): Promise<KeyWrapper> {
  if (config.masterKey === undefined) {
    const read = () => readMasterKeys(config.dataDirectory);
    return new MasterKeyWrapper(await read(), read);
  }
  const previous = config.previousMasterKey;
  return new MasterKeyWrapper([
    parseMasterKey(config.masterKey, 'MEMHALL_MASTER_KEY'),
    ...(previous === undefined ? [] : [parseMasterKey(previous, 'MEMHALL_MASTER_KEY_PREVIOUS')]),
  ]);
}

/**
 * Throws StartUpError if the key of any tenant cannot be decrypted. The start must fail then, because the server could
 * not read the conversations of that tenant.
 */
export async function checkMasterKey(store: Store, wrapper: KeyWrapper): Promise<void> {
  const foreign = (await store.masterKeysInUse()).filter(({ wrappedBy }) => !wrapper.knows(wrappedBy));
  if (foreign.length === 0) return;
  throw new StartUpError(
    `The keys of ${foreign.length} tenant(s) are encrypted with a master key other than MEMHALL_MASTER_KEY. Set the right key. To change the master key, set the old one as MEMHALL_MASTER_KEY_PREVIOUS and run \`memhall keys rotate\`.`,
  );
}

/** Encrypts the keys of all tenants with the configured master key, or with a new one if it is stored in a file. */
export async function rotateMasterKey(
  config: Config,
  logger: Logger,
  onProgress: (done: number, total: number) => void,
): Promise<{ tenants: number; keys: number }> {
  const database = await openDatabase(config, logger, { shareRunning: true });
  try {
    const store = new PostgresStore(database);
    await checkMasterKey(store, await openKeyWrapper(config));
    if (config.masterKey === undefined && config.keyVaultKey === undefined)
      await replaceMasterKey(config.dataDirectory);
    const cipher = new TenantCipher(await openKeyWrapper(config));
    const tenants = [...new Set((await store.masterKeysInUse()).map(({ tenantId }) => tenantId))];
    let keys = 0;
    for (const [index, tenantId] of tenants.entries()) {
      keys += await store.administer(tenantId, (tables) => cipher.rewrap(tables, tenantId));
      onProgress(index + 1, tenants.length);
    }
    return { tenants: tenants.length, keys };
  } finally {
    await database.close();
  }
}
