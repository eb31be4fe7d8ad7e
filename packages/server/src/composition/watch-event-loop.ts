import type { Logger } from 'pino';
import type { Config } from '../config/settings.js';
import { EventLoopWatch } from '../http/event-loop-watch.js';
import { LoadShedder } from '../http/load-shedder.js';
import type { Metrics } from '../http/metrics.js';

/** Connects the watch of the event loop with the log and the metrics, and with what sheds load if there is something. */
export function watchEventLoop(config: Config, logger: Logger, metrics: Metrics, shedder?: LoadShedder) {
  return new EventLoopWatch({
    stallMs: config.stallMs,
    onDelay(delayMs, atMs) {
      metrics.observeLoopDelay(delayMs / 1000);
      shedder?.observe(delayMs, atMs);
    },
    onStall({ operation, delayMs }) {
      metrics.observeStall(operation, delayMs / 1000);
      logger.warn({ operation, delay_ms: Math.round(delayMs) }, 'the event loop was blocked');
    },
  });
}

export function createShedder(config: Config, logger: Logger, metrics: Metrics): LoadShedder {
  const shedder = new LoadShedder({
    delayMs: config.shedDelayMs,
    onChange(isShedding, meanMs) {
      const fields = { delay_ms: Math.round(meanMs) };
      if (isShedding) logger.error(fields, 'shedding load: the event loop stays late');
      else logger.info(fields, 'accepting requests again');
    },
  });
  metrics.gauge(
    'memhall_shedding',
    '1 while new requests are refused because the event loop stays late, otherwise 0.',
    () => (shedder.isShedding ? 1 : 0),
  );
  return shedder;
}
