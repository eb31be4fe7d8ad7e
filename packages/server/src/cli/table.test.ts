import { describe, expect, it } from 'vitest';
import { screenOf, toTable } from './table.js';

const id = '01a1edbe-a38e-7395-b3e5-0f381ddb639a';
const rows = [
  { id, cells: ['0.70', 'you, HTTP API', 'I take my tea without milk, and my coffee black.'] },
  { id, cells: ['0.65', '太郎, team:blue', '緑茶は体に良いので毎日飲みます。'], notes: ['why: words +0.5'] },
];
const heads = ['SCORE', 'FROM', 'TEXT'];

function screen(given: { isTTY?: boolean; columns?: number }, environment: Record<string, string> = {}) {
  return screenOf(given as NodeJS.WriteStream, environment);
}

describe('a table', () => {
  it('is aligned, and cuts nothing if it is piped', () => {
    expect(toTable(heads, rows, screen({})).split('\n')).toEqual([
      `ID${' '.repeat(36)}SCORE  FROM             TEXT`,
      `${id}  0.70   you, HTTP API    I take my tea without milk, and my coffee black.`,
      `${id}  0.65   太郎, team:blue  緑茶は体に良いので毎日飲みます。`,
      '  why: words +0.5',
      '',
    ]);
  });

  it('cuts texts to the width of a terminal, and puts ids below the rows of a narrow one', () => {
    const narrow = toTable(heads, rows, screen({ isTTY: true, columns: 50 }, { NO_COLOR: '1' }));
    expect(narrow.split('\n')).toEqual([
      'SCORE  FROM             TEXT',
      '0.70   you, HTTP API    I take my tea without mil…',
      `  ${id}`,
      '0.65   太郎, team:blue  緑茶は体に良いので毎日飲…',
      `  ${id}`,
      '  why: words +0.5',
      '',
    ]);
  });

  it('has colours only on a terminal, and not if NO_COLOR is set', () => {
    const terminal = { isTTY: true, columns: 120 };
    expect(toTable(heads, rows, screen(terminal))).toContain(`\u001b[2m${id}\u001b[22m  0.70`);
    for (const plain of [screen({}), screen(terminal, { NO_COLOR: '1' }), screen(terminal, { TERM: 'dumb' })]) {
      expect(toTable(heads, rows, plain)).not.toContain('\u001b');
    }
    expect(screen(terminal, { NO_COLOR: '' }).hasColours).toBe(true);
    expect(screen({}, { FORCE_COLOR: '1', NO_COLOR: '1' }).hasColours).toBe(true);
    expect(screen(terminal, { FORCE_COLOR: '0' }).hasColours).toBe(false);
  });
});
