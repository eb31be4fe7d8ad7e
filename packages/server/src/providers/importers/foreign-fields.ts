import { createHash } from 'node:crypto';

export type Fields = Readonly<Record<string, unknown>>;

const zoneForm = /(?:[Zz]|[+-]\d\d(?::?\d\d)?)$/;
const timeForm = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;
const earliestMs = Date.parse('1970-01-02T00:00:00Z');
const latestMs = Date.parse('2200-01-01T00:00:00Z');
/** Numbers above this are milliseconds, below it seconds. */
const mostSeconds = 100_000_000_000;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns a text that can be stored; undefined if it is blank or no text. */
export function textOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.replaceAll('\u0000', '').toWellFormed().trim();
  return text === '' ? undefined : text;
}

/** Returns an id or a name, on one line. */
export function nameOf(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : textOf(value);
  return text
    ?.replace(/[\s\p{Cc}]+/gu, ' ')
    .slice(0, 200)
    .toWellFormed();
}

/** Returns the first of several values that is a moment: seconds, milliseconds or a date; UTC if no zone is named. */
export function momentOf(...values: readonly unknown[]): Date | undefined {
  for (const value of values) {
    const ms = toMs(value);
    if (ms !== undefined && ms >= earliestMs && ms < latestMs) return new Date(ms);
  }
  return undefined;
}

function toMs(value: unknown): number | undefined {
  if (typeof value === 'number' && Number.isFinite(value))
    return value > mostSeconds ? value : Math.round(value * 1000);
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return Date.parse(`${text}T00:00:00Z`);
  if (!timeForm.test(text)) return undefined;
  const zone = zoneForm.exec(text.slice(16))?.[0] ?? '';
  const time = text.slice(0, text.length - zone.length).replace(' ', 'T');
  const ms = Date.parse(`${time}${zone === '' || /^z$/i.test(zone) ? 'Z' : toFullZone(zone)}`);
  return Number.isNaN(ms) ? undefined : ms;
}

/** PostgreSQL writes `+00`. */
function toFullZone(zone: string): string {
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  return `${zone[0]}${digits.slice(0, 2)}:${digits.slice(2)}`;
}

/** Returns an id for something that has none: the same for the same parts. */
export function digestOf(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

/** Leaves out what is undefined or null. */
export function given(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
}
