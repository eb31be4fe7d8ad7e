// Makes the directory that the container image runs: node stage-image.mjs <directory>. `npm install` there adds the libraries.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readManifest, writeManifest } from './manifest.mjs';
import { publishedPackages } from './published-packages.mjs';
import { stagePackage } from './stage-packages.mjs';

const to = process.argv[2] ?? '';
const server = publishedPackages.find(({ directory }) => directory === 'server');
if (server === undefined || to === '') throw new Error('Usage: node stage-image.mjs <directory>');
await stagePackage(server, to);
// The image has what a library leaves to its users, in the versions of our lockfile.
const { peerDependencies, peerDependenciesMeta: _, devDependencies: __, ...manifest } = readManifest(to);
writeManifest(to, { ...manifest, private: true, dependencies: { ...manifest.dependencies, ...peerDependencies } });
for (const name of ['package-lock.json', '.npmrc'])
  cpSync(fileURLToPath(new URL(`../../${name}`, import.meta.url)), join(to, name));
