import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';

/**
 * Joins the declarations that the entries export, also those of internal packages. Throws if they use a package that is neither given nor
 * part of Node.
 * @param {object} options
 * @param {string[]} options.entries paths in `from`, without `.d.ts`
 * @param {string} options.from
 * @param {string} options.to
 * @param {string[]} options.external packages that users install
 */
export async function bundleTypes({ entries, from, to, external }) {
  const bundle = await rolldown({
    input: Object.fromEntries(entries.map((path) => [path, join(from, `${path}.d.ts`)])),
    plugins: [dts({ dtsInput: true, tsconfig: false, resolver: 'oxc' })],
    external: (specifier) => !/^(\.|\/|@memhall\/)/.test(specifier),
  });
  const { output } = await bundle.write({ dir: to, format: 'es', chunkFileNames: 'types/[name].js' });
  const unknown = output
    .flatMap((file) => (file.type === 'chunk' ? file.imports : []))
    .filter((name) => !/^(node:|net$|\.|types\/)/.test(name) && !external.some((known) => name.startsWith(known)));
  if (unknown.length > 0) throw new Error(`The types in ${from} use ${unknown.join(', ')}, which users do not install`);
}
