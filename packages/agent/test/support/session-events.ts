import type { SessionEvent } from '../../src/sessions/session-store.js';

let made = 0;

/** Creates an event that is one second later than the one before. */
export function event(payload: SessionEvent['payload'], changes: Partial<SessionEvent> = {}): SessionEvent {
  made += 1;
  const at = new Date(made * 1000).toISOString();
  return { id: `e${made}`, run_id: 'r1', at, type: 'message', context_visible: true, payload, ...changes };
}

export function said(role: string, content: string, changes: Partial<SessionEvent> = {}): SessionEvent {
  return event({ role, content }, changes);
}
