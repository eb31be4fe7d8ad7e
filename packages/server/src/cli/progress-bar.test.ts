import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ProgressBar } from './progress-bar.js';

describe('a progress bar', () => {
  const wasTerminal = process.stderr.isTTY;
  let written: string[] = [];
  beforeEach(() => {
    written = [];
    vi.useFakeTimers();
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    process.stderr.isTTY = wasTerminal;
  });

  it('is redrawn once a second, not per record, and ends complete', () => {
    process.stderr.isTTY = true;
    const bar = new ProgressBar('Copying');
    for (let done = 1; done <= 3000; done += 1) {
      bar.update(done, 3000);
      vi.advanceTimersByTime(1);
    }
    bar.finish();
    expect(written).toHaveLength(5);
    expect(written.slice(-2)).toEqual([`\rCopying [${'#'.repeat(30)}] 100 % (3000/3000)`, '\n']);
  });

  it('prints nothing if standard error is not a terminal', () => {
    process.stderr.isTTY = false;
    const bar = new ProgressBar('Copying');
    bar.update(1, 1);
    bar.finish();
    expect(written).toEqual([]);
  });
});
