import { describe, expect, it } from 'vitest';
import { readCommandOptions } from './read-options.js';

const read = (...args: string[]) => readCommandOptions(args, 'memhall-benchmark');

describe('the options of the command', () => {
  it('are all systems but those that need a server of the caller, and every case once', () => {
    const { systems, named, benchmark } = read();
    expect(systems).toContain('mem0');
    expect(systems).not.toContain('memhall-url');
    expect(named).toBe(false);
    expect(benchmark).toMatchObject({ only: [], seed: 1, repeat: 1, packages: ['.'], settings: {} });
  });

  it('can be repeated where several are possible', () => {
    const { systems, named, benchmark } = read(
      '-s',
      'mem0',
      '-s',
      './own.mjs',
      '-o',
      'time',
      '--set',
      'a=b=c',
      '-p',
      'x',
    );
    expect([systems, named]).toEqual([['mem0', './own.mjs'], true]);
    expect(benchmark).toMatchObject({ only: ['time'], settings: { a: 'b=c' }, packages: ['x'] });
  });

  it.each([
    [['--seed', 'x'], '--seed must be a whole number from 0 to 2147483648, not x.'],
    [['--repeat', '0'], '--repeat must be a whole number from 1 to 1000, not 0.'],
    [['--set', 'a'], '--set takes name=value, not a.'],
    [['--nothing'], 'Run memhall-benchmark --help for what there is.'],
  ])('%j are refused', (args, message) => {
    expect(() => read(...args)).toThrow(message);
  });
});
