import type { Config } from '../config/settings.js';
import { identifyUser } from '../engine/users/identify-user.js';
import { FailedKeys } from '../http/failed-keys.js';
import { KeyGate } from '../http/key-gate.js';
import type { Quotas } from '../http/quotas.js';
import type { Store } from '../ports/store.js';

export function createKeyGate(config: Config, store: Store, quotas: Quotas): KeyGate {
  return new KeyGate({
    identify: (named) => identifyUser(store, named),
    quotas,
    failures: new FailedKeys(config.quotaFailedKeysPerMinute),
    proxies: config.trustedProxies,
  });
}
