import { describe, expect, it } from 'vitest';
import { notesOf, releaseChangelog } from './changelog.mjs';

const changelog = '# Changelog\n\n## Unreleased\n\n- New.\n\n## 0.1.0 (2026-11-18)\n\n- First.\n';

describe('the changelog of a release', () => {
  it('gets a section with what was unreleased', () => {
    const released = releaseChangelog(changelog, '0.2.0', '2026-12-01');
    expect(notesOf(released, '0.2.0')).toBe('- New.');
    expect(notesOf(released, 'Unreleased')).toBe('');
    expect(notesOf(released, '0.1.0')).toBe('- First.');
  });

  it('is refused if there is nothing new, or the version exists', () => {
    expect(() => releaseChangelog(releaseChangelog(changelog, '0.2.0', '2026-12-01'), '0.3.0', '')).toThrow('nothing');
    expect(() => releaseChangelog(changelog, '0.1.0', '')).toThrow('already');
  });
});
