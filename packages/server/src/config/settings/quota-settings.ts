import { integer, type Setting } from '../setting.js';

const maxQuota = 1_000_000_000;

export const quotaSettings = {
  quotaTenantPerMinute: integer({
    env: 'MEMHALL_QUOTA_TENANT_PER_MINUTE',
    default: 0,
    min: 0,
    max: maxQuota,
    description: 'Requests per minute allowed for a tenant, by all nodes together. 0 means no limit.',
  }),
  quotaUserPerMinute: integer({
    env: 'MEMHALL_QUOTA_USER_PER_MINUTE',
    default: 0,
    min: 0,
    max: maxQuota,
    description: 'Requests per minute allowed for a user, by all nodes together. 0 means no limit.',
  }),
  quotaServicePerMinute: integer({
    env: 'MEMHALL_QUOTA_SERVICE_PER_MINUTE',
    default: 0,
    min: 0,
    max: maxQuota,
    description: 'Requests per minute allowed for a service of a tenant, by all nodes together. 0 means no limit.',
  }),
  quotaTokenlessPerMinute: integer({
    env: 'MEMHALL_QUOTA_TOKENLESS_PER_MINUTE',
    default: 100,
    min: 0,
    max: maxQuota,
    description:
      'Requests per minute allowed for all callers that create users without a token together. 0 means no limit.',
  }),
  quotaFailedKeysPerMinute: integer({
    env: 'MEMHALL_QUOTA_FAILED_KEYS_PER_MINUTE',
    default: 100,
    min: 0,
    max: maxQuota,
    description:
      'Wrong user keys per minute that an address can send to the gateway, counted per process. After that, only keys that were right in the last hour are accepted from it until the minute is over. 0 means no limit.',
  }),
} satisfies Record<string, Setting<unknown>>;
