import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromLocalMs, toLocalMs, toTimeZone } from './time-zone.js';

describe('time zones', () => {
  it('are known by their IANA names, in any case', () => {
    expect(['Europe/Oslo', 'utc', 'america/new_york', 'Etc/GMT+5'].map(toTimeZone)).toEqual([
      ...['Europe/Oslo', 'UTC', 'America/New_York', 'Etc/GMT+5'],
    ]);
    expect(['', 'Oslo', '+01:00', 'Europe/Oslo; x', 'Mars/Base'].map(toTimeZone)).toEqual(Array(5).fill(undefined));
  });

  it('say what the clock on the wall shows, in summer and in winter', () => {
    expect(toLocalMs(Date.UTC(2026, 0, 1, 12), 'Europe/Oslo')).toBe(Date.UTC(2026, 0, 1, 13));
    expect(toLocalMs(Date.UTC(2026, 6, 1, 12), 'Europe/Oslo')).toBe(Date.UTC(2026, 6, 1, 14));
    expect(toLocalMs(Date.UTC(2026, 6, 1, 12), 'UTC')).toBe(Date.UTC(2026, 6, 1, 12));
    expect(fromLocalMs(Date.UTC(2026, 6, 1), 'America/New_York')).toBe(Date.UTC(2026, 6, 1, 4));
  });

  it('lead back to the same moment, except in the hour that is repeated in autumn', () => {
    const moment = fc.integer({ min: Date.UTC(1971, 0), max: Date.UTC(2060, 0) });
    const zone = fc.constantFrom(
      'Europe/Oslo',
      'America/St_Johns',
      'Asia/Kathmandu',
      'Pacific/Apia',
      'Australia/Lord_Howe',
    );
    fc.assert(
      fc.property(moment, zone, (at, name) => {
        const local = toLocalMs(at, name);
        const back = fromLocalMs(local, name);
        expect(toLocalMs(back, name)).toBe(local);
      }),
    );
  });
});
