import { describe, expect, it } from 'vitest';
import { toReadableLine } from './readable-log.js';

const time = '2026-11-18T09:30:01.234Z';
const read = (fields: object, hasColours = false) =>
  toReadableLine(JSON.stringify({ level: 30, time, service: 'memhall', ...fields }), hasColours);

describe('a log line for people', () => {
  it('has time, level, message and fields', () => {
    expect(
      read({ msg: 'request', operation: 'memory.recall', status: 200, applied: ['0001 a'], who: 'two words' }),
    ).toBe('09:30:01.234 info  request operation=memory.recall status=200 applied=["0001 a"] who="two words"\n');
    expect(read({ level: 50, msg: 'x' }, true)).toBe('\u001b[2m09:30:01.234\u001b[0m \u001b[31merror\u001b[0m x\n');
  });

  it('has errors below it, with their causes', () => {
    const error = {
      type: 'Error',
      code: 'E1',
      message: 'broken',
      stack: ['at a (b.js:1:2)'],
      cause: { type: 'TypeError' },
    };
    expect(read({ level: 50, msg: 'request failed', error }).split('\n')).toEqual([
      '09:30:01.234 error request failed',
      '  Error(E1): broken',
      '    at a (b.js:1:2)',
      '  caused by TypeError',
      '',
    ]);
  });

  it('never gives a terminal what it would obey', () => {
    const line = read({
      msg: 'a\u001b[2Jb\nc',
      id: '\u001b]0;x\u0007',
      dir: '\u202edcba',
      error: { message: '\u009b2J' },
    });
    expect(line.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
    expect(line.split('\n')).toHaveLength(3);
  });
});
