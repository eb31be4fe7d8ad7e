import type { Engine } from '../engine.js';
import { within } from '../within.js';
import { eventIndexBacklog } from './index-events.js';

/** Describes the outer index for operators. Returns undefined if there is none. */
export async function inspectEventIndex(
  engine: Engine,
): Promise<{ address: string; status: 'ok' | 'down'; waiting: number } | undefined> {
  const { eventIndex: index } = engine;
  if (index === null) return undefined;
  const reaching = within(index.exists()).then(
    (exists) => (exists ? ('ok' as const) : ('down' as const)),
    () => 'down' as const,
  );
  const [status, { count }] = await Promise.all([reaching, within(eventIndexBacklog(engine))]);
  return { address: index.address, status, waiting: count };
}
