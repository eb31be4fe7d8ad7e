import type { Config } from '../config/settings.js';
import { Quotas } from '../http/quotas.js';

export function createQuotas(config: Config): Quotas {
  return new Quotas({
    tenantPerMinute: config.quotaTenantPerMinute,
    userPerMinute: config.quotaUserPerMinute,
    servicePerMinute: config.quotaServicePerMinute,
    tokenlessPerMinute: config.quotaTokenlessPerMinute,
  });
}
