import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {Record<string, any>} Manifest */

/** @param {string} directory @returns {Manifest} */
export function readManifest(directory) {
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
}

/** @param {string} directory @param {Manifest} manifest */
export function writeManifest(directory, manifest) {
  writeFileSync(join(directory, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
