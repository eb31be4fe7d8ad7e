import type { Setting } from './setting.js';
import { azureSettings } from './settings/azure-settings.js';
import { identitySettings } from './settings/identity-settings.js';
import { keySettings } from './settings/key-settings.js';
import { listenerSettings } from './settings/listener-settings.js';
import { logSettings } from './settings/log-settings.js';
import { mcpSettings } from './settings/mcp-settings.js';
import { memorySettings } from './settings/memory-settings.js';
import { modelSettings } from './settings/model-settings.js';
import { pluginSettings } from './settings/plugin-settings.js';
import { quotaSettings } from './settings/quota-settings.js';
import { storeSettings } from './settings/store-settings.js';

/** All settings, by area. The reference page and the schema of the configuration file are generated from this table. */
export const settingAreas = {
  'Listeners and requests': listenerSettings,
  Database: storeSettings,
  'Embedder and extractor': modelSettings,
  'Recall and what is kept': memorySettings,
  'Tokens and identity': identitySettings,
  'Keys and the audit log': keySettings,
  Quotas: quotaSettings,
  MCP: mcpSettings,
  'Memory plugins': pluginSettings,
  Azure: azureSettings,
  'Logs and traces': logSettings,
} as const satisfies Record<string, Record<string, Setting<unknown>>>;

export const settings = {
  ...listenerSettings,
  ...storeSettings,
  ...modelSettings,
  ...memorySettings,
  ...identitySettings,
  ...keySettings,
  ...quotaSettings,
  ...mcpSettings,
  ...pluginSettings,
  ...azureSettings,
  ...logSettings,
} satisfies Record<string, Setting<unknown>>;

export type Settings = typeof settings;
export type Config = { readonly [K in keyof Settings]: Settings[K] extends Setting<infer T> ? T : never };
