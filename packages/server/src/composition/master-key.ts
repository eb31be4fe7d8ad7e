import { StartUpError } from '@memhall/core';
import type { Logger } from 'pino';
import type { Config } from '../config/settings.js';
import { TenantCipher } from '../engine/conversations/tenant-cipher.js';
import type { Store } from '../ports/store.js';
import { readMasterKeys, replaceMasterKey } from '../providers/master-key-file.js';
import { MasterKeyWrapper, parseMasterKey } from '../providers/master-key-wrapper.js';
import { PostgresStore } from '../store/postgres/postgres-store.js';
import { openDatabase } from './open-database.js';

/** The master key: configured, or kept in the data directory. */
export async function openKeyWrapper(config: Config): Promise<MasterKeyWrapper> {
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

/** Every tenant's key must be one that can be opened: better no service than one that loses conversations. */
export async function checkMasterKey(store: Store, wrapper: MasterKeyWrapper): Promise<void> {
  const foreign = (await store.masterKeysInUse()).filter(({ wrappedBy }) => !wrapper.knows(wrappedBy));
  if (foreign.length === 0) return;
  throw new StartUpError(
    `MEMHALL_MASTER_KEY is not the key that the snapshots of ${foreign.length} tenant(s) are locked with. Set the right one; to change it, set the old one as MEMHALL_MASTER_KEY_PREVIOUS and run \`memhall keys rotate\`.`,
  );
}

/** Locks the keys of all tenants with the present master key; where that is kept in a file, with a new one. */
export async function rotateMasterKey(
  config: Config,
  logger: Logger,
  onProgress: (done: number, total: number) => void,
): Promise<{ tenants: number; keys: number }> {
  const database = await openDatabase(config, logger, { shareRunning: true });
  try {
    const store = new PostgresStore(database);
    await checkMasterKey(store, await openKeyWrapper(config));
    if (config.masterKey === undefined) await replaceMasterKey(config.dataDirectory);
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
