const heading = '## Unreleased\n';

/**
 * Moves what is unreleased under the heading of a version. Throws if there is nothing.
 * @param {string} changelog
 * @param {string} version
 * @param {string} date
 */
export function releaseChangelog(changelog, version, date) {
  if (notesOf(changelog, 'Unreleased') === '') throw new Error('CHANGELOG.md has nothing under "Unreleased".');
  if (changelog.includes(`\n## ${version} `)) throw new Error(`CHANGELOG.md has a section for ${version} already.`);
  return changelog.replace(heading, `${heading}\n## ${version} (${date})\n`);
}

/** Returns the section of a version. @param {string} changelog @param {string} version */
export function notesOf(changelog, version) {
  const [, after = ''] = changelog.split(new RegExp(`^## ${version.replaceAll('.', '\\.')}\\b.*\n`, 'm'));
  return after.split(/^## /m)[0]?.trim() ?? '';
}
