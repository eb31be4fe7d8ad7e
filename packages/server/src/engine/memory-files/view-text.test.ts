import { describe, expect, it } from 'vitest';
import { toSize, viewDirectory, viewFile } from './view-text.js';

describe('the view of a file', () => {
  it('has at most 999,999 lines', () => {
    const lines = Array.from({ length: 999_999 }, () => '');
    expect(viewFile('/memories/a.md', lines, [999_999, -1])).toBe(
      "Here's the content of /memories/a.md with line numbers:\n999999\t",
    );
    expect(() => viewFile('/memories/a.md', [...lines, ''])).toThrow(
      'File /memories/a.md exceeds maximum line limit of 999,999 lines.',
    );
  });
});

describe('sizes', () => {
  it.each([
    [0, '0B'],
    [1023, '1023B'],
    [1024, '1K'],
    [5632, '5.5K'],
    [1_258_291, '1.2M'],
    [1024 ** 3, '1G'],
    [5000 * 1024 ** 3, '5000G'],
  ])('%i bytes are %s', (bytes, size) => {
    expect(toSize(bytes)).toBe(size);
  });
});

describe('the view of a directory', () => {
  it('counts hidden files in its size and does not list them', () => {
    const files = [
      { name: '.env', sizeBytes: 1 },
      { name: 'a/.b/c.md', sizeBytes: 2 },
    ];
    expect(viewDirectory('', '/memories', files).split('\n').slice(1)).toEqual(['3B\t/memories', '2B\t/memories/a/']);
  });
});
