// The process in which a system runs, so that it can be killed with everything that it started.
import { loadAdapter } from '../adapters/load-adapter.js';
import { openPlace } from '../place/open-place.js';
import type { HostMessage, HostRequest, HostStart } from './host-protocol.js';

const send = (message: HostMessage): void => {
  if (process.connected) process.send?.(message);
};
/** The process leads its own group. */
const endAll = (): void => {
  process.kill(-process.pid, 'SIGKILL');
};
// The one who started it is gone.
process.on('disconnect', endAll);
// Libraries may leave rejections of work in the background. Reported by the call that they belong to, if by any.
process.on('unhandledRejection', (reason) => process.stderr.write(`unhandled: ${String(reason)}\n`));

const start = JSON.parse(process.argv[2] ?? '') as HostStart;
try {
  const adapter = await loadAdapter(start.adapter);
  const system = await adapter.open(openPlace(start, process.env));
  process.on('message', async ({ id, method, parameters }: HostRequest) => {
    try {
      const call = system[method] as ((...given: unknown[]) => Promise<unknown>) | undefined;
      if (call === undefined && method === 'settle') return send({ id, result: null });
      if (call === undefined) throw new Error(`the adapter has no ${method}, which its claims need`);
      const result = await call.apply(system, parameters);
      send({ id, result: result ?? null });
    } catch (error) {
      send({ id, error: messageOf(error) });
    }
  });
  send({ ready: true });
} catch (error) {
  send({ failed: messageOf(error) });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
