import { describe, expect, it } from 'vitest';
import { cutToWidth, padToWidth, toLine, toLines, widthOf } from './text-width.js';

describe('the width of a line on a terminal', () => {
  it.each([
    ['tea', 3],
    ['お茶', 4],
    ['한국어', 6],
    ['Ｔｅａ', 6],
    ['ﾃｨｰ', 3],
    ['cafe\u0301', 4],
    ['🫖 tea', 6],
    ['👩‍👩‍👧', 2],
    ['❤️', 2],
    ['', 0],
  ])('counts the columns of %j', (line, width) => {
    expect(widthOf(line)).toBe(width);
  });

  it.each([
    ['I take my tea', 13, 'I take my tea'],
    ['I take my tea', 12, 'I take my t…'],
    ['I take my tea', 8, 'I take…'],
    ['緑茶です', 7, '緑茶で…'],
    ['緑茶です', 6, '緑茶…'],
    ['cafe\u0301s', 5, 'cafe\u0301s'],
  ])('cuts %j to %i columns without splitting a character', (line, width, cut) => {
    expect(cutToWidth(line, width)).toBe(cut);
    expect(widthOf(cut)).toBeLessThanOrEqual(width);
  });

  it('pads by columns, not by characters', () => {
    expect(padToWidth('緑茶', 6)).toBe('緑茶  ');
  });
});

describe('text for a terminal', () => {
  it('has no escape sequences and no changes of direction', () => {
    const hostile = 'red \u001b[31mtext\u009b2J \u202eback\u2066 end\u0007';
    expect(toLine(hostile)).toBe('red [31mtext2J back end');
    expect(toLines(hostile)).toBe('red [31mtext2J back end');
  });

  it('is one line in a table, and keeps its lines elsewhere', () => {
    expect(toLine(' one\r\n\ttwo\u2028three ')).toBe('one two three');
    expect(toLines('one\r\n\ttwo\u2028three')).toBe('one\n  two\nthree');
  });
});
