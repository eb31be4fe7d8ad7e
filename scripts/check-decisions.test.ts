import { describe, expect, it } from 'vitest';
import { findViolations } from './check-decisions.mjs';

const first = {
  name: '0001-one-driver.md',
  text: '# 1. One driver\n\nStatus: accepted, amended by 0002 · Date: 2026-11-15\n\nText.\n',
};
const second = {
  name: '0002-two-drivers.md',
  text: '# 2. Two drivers\n\nStatus: accepted · Date: 2026-11-16\n\nSee [record 1](0001-one-driver.md).\n',
};
const rows = [
  '| 0001 | [One driver](0001-one-driver.md) | accepted, amended by 0002 | 2026-11-15 |',
  '| 0002 | [Two drivers](0002-two-drivers.md) | accepted | 2026-11-16 |',
];
const index = { name: 'README.md', text: `# Decisions\n\n${rows.join('\n')}\n` };

function replaced(file: { name: string; text: string }, from: string, to: string): { name: string; text: string } {
  return { name: file.name, text: file.text.replace(from, to) };
}

describe('the check of decision records', () => {
  it('accepts records that are complete and listed', () => {
    expect(findViolations([index, second, first])).toEqual([]);
  });

  it('accepts a record that was superseded, or amended several times', () => {
    const third = { name: '0003-no-driver.md', text: '# 3. No driver\n\nStatus: accepted · Date: 2026-11-17\n' };
    const amended = replaced(first, 'amended by 0002', 'amended by 0002 and 0003');
    const superseded = replaced(second, 'accepted', 'superseded by 0003');
    const listed = [
      '| 0001 | [One driver](0001-one-driver.md) | accepted, amended by 0002 and 0003 | 2026-11-15 |',
      '| 0002 | [Two drivers](0002-two-drivers.md) | superseded by 0003 | 2026-11-16 |',
      '| 0003 | [No driver](0003-no-driver.md) | accepted | 2026-11-17 |',
    ].join('\n');
    expect(findViolations([amended, superseded, third, { name: 'README.md', text: listed }])).toEqual([]);
  });

  it.each([
    ['without a status', [first, replaced(second, 'Status: accepted · ', ''), index], 'the third line must be'],
    ['with an unknown status', [first, replaced(second, 'accepted', 'maybe'), index], 'the third line must be'],
    ['without a date', [first, replaced(second, ' · Date: 2026-11-16', ''), index], 'the third line must be'],
    ['with an impossible date', [first, replaced(second, '2026-11-16', '2026-11-31'), index], 'the third line must be'],
    ['without a heading', [first, replaced(second, '# 2. Two drivers', 'Two drivers'), index], 'must begin with'],
    ['with the wrong number', [first, replaced(second, '# 2.', '# 3.'), index], 'the heading "# 2. Title"'],
    ['with a name in another form', [first, { ...second, name: '2-two-drivers.md' }, index], 'must be named'],
    [
      'amended by a missing record',
      [replaced(first, 'by 0002', 'by 0007'), second, index],
      '0001-one-driver.md: can be amended',
    ],
    ['with a broken link', [first, replaced(second, '(0001-one', '(0001-no'), index], 'links to 0001-no-driver.md'],
    [
      'that the index lacks',
      [first, second, replaced(index, `${rows[1]}\n`, '')],
      'README.md: must have the row | 0002',
    ],
    [
      'whose title in the index is old',
      [first, second, replaced(index, '[Two drivers]', '[Twin drivers]')],
      'must have the row',
    ],
    ['that is gone from the folder', [first, index], 'lists 2 records, but there are 1'],
  ])('reports a record %s', (_case, files, message) => {
    expect(findViolations(files).join('\n')).toContain(message);
  });

  it('reports a gap in the numbers', () => {
    const third = { name: '0003-two-drivers.md', text: second.text.replace('# 2.', '# 3.') };
    expect(findViolations([first, third, index])).toContain(
      '0003-two-drivers.md: must have number 0002, so that numbers are contiguous',
    );
  });
});
