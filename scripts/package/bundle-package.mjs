import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { build } from 'vite';

/**
 * @typedef {object} Bundle
 * @property {Record<string, string>} entries paths of modules in `from`, by the path that each has in `to` without `.js`
 * @property {string} from where `tsc` put the modules
 * @property {string} to
 * @property {string[]} external packages that are not included
 */

/**
 * Joins the modules of a package, its internal packages and its libraries in a few files. Returns the directories of the libraries that
 * were included.
 * @param {Bundle} bundle
 * @returns {Promise<string[]>}
 */
export async function bundlePackage({ entries, from, to, external }) {
  /** @type {Set<string>} */
  const included = new Set();
  await build({
    configFile: false,
    logLevel: 'error',
    mode: 'production',
    plugins: [ownUrls(from), nativeRuntime, listLibraries(included)],
    ssr: { noExternal: true, external, target: 'node' },
    build: {
      ssr: true,
      outDir: to,
      emptyOutDir: true,
      target: 'node20',
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, join(from, path)])),
        // Optional parts of included libraries; and peers, also those that are not installed here, of which Vite would make empty modules.
        // Names that are listed here are not passed to plugins.
        external: [
          'pg-native',
          ...external
            .filter((name) => name !== nativeRuntimeName)
            .map((name) => new RegExp(`^${name.replaceAll('/', '\\/')}(?:\\/|$)`)),
        ],
        preserveEntrySignatures: 'strict',
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: 'chunks/[name].js',
          // Worker threads call functions by name.
          keepNames: true,
        },
      },
    },
  });
  return [...included].sort();
}

/**
 * Returns the modules that are loaded by their path: those of worker threads and processes, and those whose functions run in threads.
 * @param {string} directory
 * @returns {string[]} paths in the directory, without `.js`
 */
export function modulesLoadedByPath(directory) {
  const modules = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.js') && !/^(command|console|docs)[\\/]/.test(path))
    .map((path) => ({ path, code: readFileSync(join(directory, path), 'utf8') }));
  const workers = modules.flatMap(({ path, code }) =>
    [...code.matchAll(/'(\.\/[\w-]+\.js)'/g)]
      .map(([, file = '']) => join(dirname(path), file))
      .filter((file) => code.includes('import.meta.url') && !imports(code, file) && existsSync(join(directory, file))),
  );
  const tasks = modules.filter(({ code }) => /module: import\.meta\.url/.test(code)).map(({ path }) => path);
  return [...new Set([...workers, ...tasks])].map((path) => path.replace(/\.js$/, '')).sort();
}

/** @param {string} code @param {string} file */
function imports(code, file) {
  return code.includes(`from './${file.split(sep).at(-1)}'`);
}

/**
 * Worker threads, migrations and the starter are found by `import.meta.url`, which stays that of the module itself.
 * @param {string} from
 * @returns {import('vite').Plugin}
 */
function ownUrls(from) {
  return {
    name: 'own-urls',
    transform(code, id) {
      if (!id.startsWith(from) || !code.includes('import.meta.url')) return null;
      const own = `__ownUrl(${JSON.stringify(relative(from, id))})`;
      const included = code
        .replaceAll('const require = createRequire(import.meta.url);', '')
        .replaceAll('createRequire(import.meta.url)(', 'require(');
      return { code: included.replaceAll('import.meta.url', own), map: null };
    },
    renderChunk(code, { fileName }) {
      const toUrl = (/** @type {string} */ _, /** @type {string} */ path) =>
        `new URL(${JSON.stringify(relative(dirname(fileName), path))}, import.meta.url).href`;
      return { code: code.replace(/__ownUrl\("([^"]+)"\)/g, toUrl), map: null };
    },
  };
}

const nativeRuntimeName = 'onnxruntime-node';

/**
 * The manifest says where the native runtime is: tarballs for one platform have it, others use `onnxruntime-node` if it is installed.
 * @type {import('vite').Plugin}
 */
const nativeRuntime = {
  name: 'native-runtime',
  enforce: 'pre',
  resolveId: (source) => (source === nativeRuntimeName ? { id: '#onnxruntime', external: true } : null),
};

/** @param {Set<string>} included @returns {import('vite').Plugin} */
function listLibraries(included) {
  return {
    name: 'list-libraries',
    generateBundle(_, files) {
      for (const file of Object.values(files)) {
        if (file.type !== 'chunk') continue;
        for (const id of file.moduleIds) {
          const directory = /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1];
          if (directory !== undefined) included.add(directory);
        }
      }
    },
  };
}
