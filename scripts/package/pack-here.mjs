// Packs the packages for this machine in dist/packages: npm run package. See docs/operate/releases.md.
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packPackages } from './pack-packages.mjs';
import { platforms } from './published-packages.mjs';

const to = fileURLToPath(new URL('../../dist/packages', import.meta.url));
const here = platforms.filter(({ os, cpu }) => os === process.platform && cpu === process.arch);
for (const tarball of await packPackages(to, here)) console.log(relative(process.cwd(), tarball));
