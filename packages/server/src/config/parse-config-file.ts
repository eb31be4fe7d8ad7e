import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { StartUpError } from '@memhall/core';
import { closestName } from './closest-name.js';
import type { FileValues } from './read-config.js';
import type { Setting } from './setting.js';
import { settings } from './settings.js';

const table: Readonly<Record<string, Setting<unknown>>> = settings;
const names = Object.keys(table);

/**
 * Reads the text of a configuration file. Paths in it are relative to its directory. Throws StartUpError that lists every
 * unknown name at once and never shows a value.
 */
export function parseConfigFile(path: string, text: string): FileValues {
  const given = parseObject(path, text);
  const faults: string[] = [];
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    const setting = Object.hasOwn(table, name) ? table[name] : undefined;
    const asText = toText(value);
    if (name === '$schema') continue;
    if (setting === undefined) faults.push(unknownName(name));
    else if (asText === undefined) faults.push(`"${name}" must be a text, a number, true or false`);
    else values[name] = toAbsolute(setting, asText, dirname(path));
  }
  if (faults.length > 0) throw new StartUpError(`The configuration file ${path} has faults: ${faults.join('; ')}.`);
  return { path, values };
}

/** Returns whether a configuration file holds anything that other users must not read. */
export function holdsSecrets({ values }: FileValues): boolean {
  return Object.keys(values).some((name) => table[name]?.secret === true);
}

function parseObject(path: string, text: string): object {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    // The message of the parser may quote a secret.
    const [place = ''] = /(?:at )?(?:position \d+|line \d+ column \d+)/.exec((error as Error).message) ?? [];
    throw new StartUpError(`The configuration file ${path} is not valid JSON${place === '' ? '' : ` (${place})`}.`);
  }
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed;
  throw new StartUpError(`The configuration file ${path} must be a JSON object, such as {"port": 8010}.`);
}

function unknownName(name: string): string {
  const byVariable = names.find((known) => table[known]?.env === name);
  const similar = byVariable ?? closestName(name, names);
  return `"${name}" is not a setting${similar === undefined ? '' : `: did you mean "${similar}"?`}`;
}

/** Returns a value as it would be in an environment variable. */
function toText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'object' || value === null) return undefined;
  const parts = Array.isArray(value) ? value : Object.entries(value).map(([name, one]) => `${name}=${one}`);
  return parts.every((part) => typeof part === 'string') ? parts.join(',') : undefined;
}

function toAbsolute({ pathAfter: start }: Setting<unknown>, value: string, directory: string): string {
  if (start === undefined || !value.startsWith(start) || value === start) return value;
  const path = value.slice(start.length).replace(/^~(?=\/|$)/, homedir());
  return `${start}${resolve(directory, path)}`;
}
