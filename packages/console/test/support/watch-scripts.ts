import type { Page } from 'playwright-core';

interface TraceEvent {
  name: string;
  /** Microseconds of processor time. */
  tdur?: number;
}

/** What Chromium calls the work of scripts: handlers of events, timers, promises and answers. */
const scripting = new Set(['FunctionCall', 'EvaluateScript', 'RunMicrotasks', 'FireAnimationFrame', 'EventDispatch']);

/** Returns the longest scripting tasks of a page while something is done, in milliseconds of processor time, longest first. */
export async function watchScripts(page: Page, work: () => Promise<void>): Promise<number[]> {
  const session = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['devtools.timeline'] },
  });
  await work();
  const ended = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()));
  await session.send('Tracing.end');
  await ended;
  await session.detach();
  return events
    .filter(({ name }) => scripting.has(name))
    .map(({ tdur = 0 }) => tdur / 1000)
    .sort((one, other) => other - one)
    .slice(0, 10);
}
