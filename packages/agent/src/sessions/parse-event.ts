import type { SessionEvent } from './session-store.js';

/** Returns undefined for an incomplete line, which is left from an append that never resolved. */
export function parseEvent(line: string): SessionEvent | undefined {
  if (line === '') return undefined;
  try {
    return JSON.parse(line) as SessionEvent;
  } catch {
    return undefined;
  }
}
