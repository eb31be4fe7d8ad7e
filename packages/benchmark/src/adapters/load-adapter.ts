import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Adapter } from '../adapter.js';
import { capabilities } from '../capabilities.js';

export interface LoadedAdapter {
  /** The name of a built-in adapter, or the path of a module. */
  source: string;
  adapter: Adapter;
}

/** Built-in adapters by name, in the order of the table. */
const builtIn: Readonly<Record<string, () => Promise<Adapter>>> = {
  'memhall-embedded': async () => (await import('./memhall.js')).memhallEmbedded,
  'memhall-postgres': async () => (await import('./memhall.js')).memhallPostgres,
  'memhall-url': async () => (await import('./memhall.js')).memhallUrl,
  mem0: async () => (await import('./mem0.js')).mem0,
  'mem0-postgres': async () => (await import('./mem0.js')).mem0Postgres,
  'langgraph-postgres': async () => (await import('./langgraph.js')).langgraphPostgres,
  'mastra-libsql': async () => (await import('./mastra.js')).mastraLibsql,
  'mastra-postgres': async () => (await import('./mastra.js')).mastraPostgres,
  'mcp-memory': async () => (await import('./mcp-memory.js')).mcpMemory,
};

export const builtInNames: readonly string[] = Object.keys(builtIn);

/** Says what is wrong with an adapter. */
export class AdapterProblem extends Error {}

/** Loads a built-in adapter by its name, or one of your own by the path of a module that exports `adapter`. */
export async function loadAdapter(source: string): Promise<Adapter> {
  const load = builtIn[source];
  if (load !== undefined) return load();
  if (!isPath(source))
    throw new AdapterProblem(
      `There is no system ${source}. There are ${builtInNames.join(', ')}; or name a module with an adapter of your own, such as ./my-adapter.mjs.`,
    );
  const module = (await import(pathToFileURL(resolve(source)).href).catch((error: Error) => {
    throw new AdapterProblem(`${source} cannot be loaded: ${error.message}`);
  })) as { adapter?: Adapter };
  if (module.adapter === undefined) throw new AdapterProblem(`${source} exports no \`adapter\`.`);
  return checked(source, module.adapter);
}

export function isPath(source: string): boolean {
  return /[./\\]/.test(source);
}

function checked(source: string, adapter: Adapter): Adapter {
  const missing = ['name', 'title', 'settings', 'documentation', 'packages', 'storage', 'claims', 'open'].filter(
    (name) => !(name in adapter),
  );
  if (missing.length > 0) throw new AdapterProblem(`The adapter in ${source} lacks ${missing.join(', ')}.`);
  const silent = Object.keys(capabilities).filter((name) => !(name in adapter.claims));
  if (silent.length > 0)
    throw new AdapterProblem(
      `The adapter in ${source} neither claims nor disclaims ${silent.join(', ')}. Use claim(…) or noClaim(…).`,
    );
  return adapter;
}
