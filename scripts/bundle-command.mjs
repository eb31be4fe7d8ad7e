import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/**
 * Joins the modules of the `memhall` command in a few files, because reading a thousand modules takes more than half of its start.
 * Includes TypeBox, which has 370 modules. Other dependencies are loaded as they are.
 */
const server = fileURLToPath(new URL('../packages/server/', import.meta.url));
const outDir = join(server, 'dist/command');

/**
 * Worker threads, migrations and the starter are found by `import.meta.url`, which stays that of the module itself.
 * @type {import('vite').Plugin}
 */
const ownUrls = {
  name: 'own-urls',
  transform(code, id) {
    if (!code.includes('import.meta.url')) return null;
    const own = `new URL(${JSON.stringify(relative(outDir, id))}, import.meta.url).href`;
    return { code: code.replaceAll('import.meta.url', own), map: null };
  },
};

await build({
  configFile: false,
  logLevel: 'warn',
  plugins: [ownUrls],
  ssr: { noExternal: [/^@memhall\//, 'typebox'] },
  build: {
    ssr: join(server, 'dist/cli/run-command-line.js'),
    outDir,
    emptyOutDir: true,
    target: 'node20',
    // Worker threads call functions by name.
    rolldownOptions: { output: { chunkFileNames: '[name].js', keepNames: true } },
  },
});
copyFileSync(new URL('../license', import.meta.resolve('typebox')), join(outDir, 'typebox.LICENSE'));
writeFileSync(join(outDir, 'run-command-line.d.ts'), "export { runCommandLine } from '../cli/run-command-line.js';\n");

// The renderer of the documentation is one file, which the server serves itself.
const docsDirectory = join(server, 'dist/docs');
const explorer = dirname(createRequire(import.meta.url).resolve('openapi-explorer/package.json'));
mkdirSync(docsDirectory, { recursive: true });
copyFileSync(join(explorer, 'dist/browser/openapi-explorer.min.js'), join(docsDirectory, 'openapi-explorer.js'));
copyFileSync(join(explorer, 'LICENSE'), join(docsDirectory, 'openapi-explorer.LICENSE'));
