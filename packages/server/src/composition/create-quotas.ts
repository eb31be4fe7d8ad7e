import type { Config } from '../config/settings.js';
import { Quotas } from '../http/quotas.js';
import type { Store } from '../ports/store.js';
import type { Database } from '../store/database.js';

/** With the embedded database there is one process to count in. */
export function createQuotas(config: Config, store: Store, { kind }: Pick<Database, 'kind'>): Quotas {
  return new Quotas({
    store: kind === 'postgres' ? store : undefined,
    tenantPerMinute: config.quotaTenantPerMinute,
    userPerMinute: config.quotaUserPerMinute,
    servicePerMinute: config.quotaServicePerMinute,
    tokenlessPerMinute: config.quotaTokenlessPerMinute,
  });
}
