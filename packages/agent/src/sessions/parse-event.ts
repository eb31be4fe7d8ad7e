import type { SessionEvent } from './session-store.js';

/**
 * Returns undefined for a line that is not an event. An append that never resolved may have left an incomplete one, and
 * people may edit the files.
 */
export function parseEvent(line: string): SessionEvent | undefined {
  if (line === '') return undefined;
  try {
    const event = JSON.parse(line);
    return typeof event?.id === 'string' && typeof event.at === 'string' ? event : undefined;
  } catch {
    return undefined;
  }
}
