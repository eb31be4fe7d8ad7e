import type { Setting } from './setting.js';
import { settingAreas } from './settings.js';

/** Returns the JSON Schema of the configuration file, for editors. */
export function toConfigSchema(): object {
  const all = Object.values<Record<string, Setting<unknown>>>(settingAreas).flatMap((area) => Object.entries(area));
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Configuration file of Memhall',
    type: 'object',
    additionalProperties: false,
    properties: {
      $schema: { type: 'string' },
      ...Object.fromEntries(all.map(([name, setting]) => [name, toProperty(setting)])),
    },
  };
}

function toProperty({ schema, description, env, default: standard, defaultText }: Setting<unknown>): object {
  const isPlain = defaultText === undefined && ['string', 'number', 'boolean'].includes(typeof standard);
  return { ...schema, description: `${description} (${env})`, ...(isPlain ? { default: standard } : {}) };
}
