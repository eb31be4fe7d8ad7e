import { StartUpError } from '@memhall/core';

export type Members = Readonly<Record<string, unknown>>;
export type Fault = (path: string, message: string) => void;

const secondsPerDay = 86_400;
/** Only text that looks like a member name may be repeated in a message. Anything else may be a misplaced key. */
const plainName = /^[A-Za-z]{1,24}$/;

/** Runs a reader and throws one StartUpError that lists all faults. */
export function collectFaults<T>(read: (fault: Fault) => T): Readonly<T> {
  const faults: string[] = [];
  const configuration = read((path, message) => faults.push(`${path} ${message}`));
  if (faults.length > 0) throw new StartUpError(`Configuration: ${faults.join('; ')}.`);
  return Object.freeze(configuration);
}

export function readObject(path: string, value: unknown, known: readonly string[], fault: Fault): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    fault(path, 'must be an object');
    return {};
  }
  const unknown = Object.keys(value).filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    const named = unknown.filter((name) => plainName.test(name));
    const which = named.length === 0 ? '' : ` (${named.join(', ')})`;
    fault(path, `has unknown members${which}; known members are ${known.join(', ')}`);
  }
  return value as Members;
}

/** Returns a string that is not blank. Reports a fault otherwise. */
export function readText(path: string, value: unknown, fault: Fault): string {
  if (typeof value === 'string' && value.trim() !== '') return value;
  fault(path, value === undefined ? 'is required' : 'must be a non-empty string');
  return '';
}

export function isPlainHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && [username, password, search, hash].every((part) => part === '');
}

/** Accepts up to a day, in seconds. Timers are limited to 2³¹ ms and fire immediately beyond that. */
export function isTimeout(value: number): boolean {
  return value > 0 && value <= secondsPerDay;
}
