/** Returns the name of a time zone as it is usually written, or undefined if there is no such zone. */
export function toTimeZone(name: string): string | undefined {
  // Offsets such as +01:00 are not names: they do not know when summer begins.
  if (!/^[A-Za-z][\w+/-]{1,99}$/.test(name)) return undefined;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** Returns what the clock on the wall shows at a moment, as the moment at which a clock in UTC shows it. Milliseconds. */
export function toLocalMs(atMs: number, timeZone: string): number {
  if (timeZone === 'UTC' || !Number.isFinite(atMs)) return atMs;
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) + (((atMs % 1000) + 1000) % 1000);
}

/** The inverse of `toLocalMs`: returns the moment at which the clock on the wall shows a time. Of two such moments, returns one. */
export function fromLocalMs(localMs: number, timeZone: string): number {
  if (timeZone === 'UTC' || !Number.isFinite(localMs)) return localMs;
  const guess = localMs - (toLocalMs(localMs, timeZone) - localMs);
  return localMs - (toLocalMs(guess, timeZone) - guess);
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Creating a format takes long, so each is kept; there are only some hundreds of zones. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const digits = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const;
  const format = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', ...digits, second: 'numeric' });
  formats.set(timeZone, format);
  return format;
}
