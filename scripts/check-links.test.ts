import { describe, expect, it } from 'vitest';
import { findBrokenLinks } from './check-links.mjs';

const page = '# Run it\n\n## Behind a `proxy`, & more\n\n## Twice\n\n## Twice\n';
const find = (text: string) =>
  findBrokenLinks(
    [
      { path: 'docs/one.md', text },
      { path: 'docs/operate/two.md', text: page },
    ],
    (path) => ['docs/one.md', 'docs/operate/two.md', 'docs/image.png', 'docs'].includes(path),
  );

describe('the check of links', () => {
  it.each([
    '[x](operate/two.md)',
    '[x](operate/two.md#behind-a-proxy--more)',
    '[x](operate/two.md#twice-1)',
    '[x](../docs)',
    '![x](image.png)',
    '[x](#here)\n\n# Here',
    '[x](https://example.com/none)',
    '`[x](none.md)`',
    '```md\n[x](none.md)\n```',
  ])('accepts %s', (text) => {
    expect(find(text)).toEqual([]);
  });

  it.each([
    ['[x](none.md)', 'docs/one.md: links to none.md, which does not exist'],
    ['![x](none.png)', 'docs/one.md: links to none.png, which does not exist'],
    ['| a |\n| - |\n| [x](none.md) |', 'docs/one.md: links to none.md, which does not exist'],
    ['[x][y]\n\n[y]: none.md', 'docs/one.md: links to none.md, which does not exist'],
    [
      '[x](operate/two.md#twice-2)',
      'docs/one.md: links to operate/two.md#twice-2, but docs/operate/two.md has no such heading',
    ],
    ['[x](#here)', 'docs/one.md: links to #here, but docs/one.md has no such heading'],
  ])('rejects %s', (text, message) => {
    expect(find(text)).toEqual([message]);
  });
});
