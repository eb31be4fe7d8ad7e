import { StartUpError } from '@memhall/core';

export type Members = Readonly<Record<string, unknown>>;
export type Fault = (path: string, message: string) => void;

const secondsPerDay = 86_400;
/** What looks like the name of a member may be repeated; anything else may be a key in the wrong place. */
const plainName = /^[A-Za-z]{1,24}$/;

/** Throws one StartUpError with everything that is wrong. */
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
  const strangers = Object.keys(value).filter((name) => !known.includes(name));
  if (strangers.length > 0) {
    const named = strangers.filter((name) => plainName.test(name));
    const which = named.length === 0 ? '' : ` (${named.join(', ')})`;
    fault(path, `has members that are not known${which}; known are ${known.join(', ')}`);
  }
  return value as Members;
}

/** A text that is not blank. */
export function readText(path: string, value: unknown, fault: Fault): string {
  if (typeof value === 'string' && value.trim() !== '') return value;
  fault(path, value === undefined ? 'is needed' : 'must be a text that is not empty');
  return '';
}

export function isPlainHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && [username, password, search, hash].every((part) => part === '');
}

/** Timers count to 2³¹ ms and fire at once beyond it. */
export function isTimeout(value: number): boolean {
  return value > 0 && value <= secondsPerDay;
}
