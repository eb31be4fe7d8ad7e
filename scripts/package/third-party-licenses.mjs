import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { acceptedLicenses } from './published-packages.mjs';

/**
 * Returns the licenses of libraries that are part of a bundle. Throws if one is not accepted.
 * @param {string[]} directories
 */
export function thirdPartyLicenses(directories) {
  const sections = directories.map((directory) => {
    const { name, version, license, author } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
    const accepted = String(license)
      .match(/[\w.-]+/g)
      ?.some((part) => acceptedLicenses.includes(part));
    if (!accepted) throw new Error(`${name} ${version} has the license ${license}, which may not be part of a bundle`);
    const file = readdirSync(directory).find((path) => /^(licen[sc]e|copying)/i.test(path));
    const holder = typeof author === 'object' ? author?.name : author;
    const text =
      file === undefined
        ? `${license}. Copyright ${holder ?? `the authors of ${name}`}.`
        : readFileSync(join(directory, file), 'utf8').trim();
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  return [...new Set(sections)].join(`\n${'-'.repeat(80)}\n\n`);
}
