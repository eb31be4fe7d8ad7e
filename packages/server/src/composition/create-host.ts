import type { Logger } from 'pino';
import type { Config } from '../config/settings.js';
import { systemCaller } from '../engine/caller.js';
import type { Engine } from '../engine/engine.js';
import { CapabilityWatch } from '../engine/host/capability-watch.js';
import { describePlugin } from '../engine/host/describe-plugin.js';
import type { Host } from '../engine/host/host.js';
import { PluginMemories } from '../engine/host/plugin-memories.js';
import { PluginNamespaces } from '../engine/host/plugin-namespaces.js';
import { RememberingPlugin } from '../engine/host/remembering-plugin.js';
import { BuiltInPlugin } from '../engine/plugin/built-in-plugin.js';
import { NamespaceMaker } from '../engine/plugin/namespace-maker.js';
import type { MemoryPlugin, PluginHealth } from '../ports/memory-plugin.js';
import { HttpMemoryPlugin } from '../providers/memory-plugins/http-memory-plugin.js';

export interface OutsidePlugin {
  /** What the host calls. */
  plugin: MemoryPlugin;
  client: HttpMemoryPlugin;
  namespaces: PluginNamespaces;
}

export interface HostedPlugin {
  host: Host;
  /** The external memory plugin in use; undefined for the built-in one. */
  outside: OutsidePlugin | undefined;
  /** What it stores besides the engine; null for the built-in one. */
  memories: PluginMemories | null;
}

/** Creates the host of the configured memory plugin. Does not call the plugin. */
export function createHost(config: Config, engine: Engine): HostedPlugin {
  const { memoryPluginTenant: tenantId } = config;
  const client = openOutsidePlugin(config);
  const outside = client && rememberNamespaces(client, engine);
  const plugin = outside?.plugin ?? new BuiltInPlugin(engine);
  const capabilities = new CapabilityWatch(plugin, { everyMs: config.memoryPluginHealthMs, tenantId });
  const host: Host = {
    engine,
    plugin,
    capabilities,
    namespaces: new NamespaceMaker(),
    tenantId: outside === undefined ? null : tenantId,
    vectorSource: outside === undefined ? 'plugin' : config.memoryPluginVectors,
  };
  return { host, outside, memories: outside === undefined ? null : new PluginMemories(host) };
}

/** Asks the plugin for its capabilities, now and periodically. It need not be reachable yet. Returns a function that stops that. */
export async function watchPlugin(host: Host, logger: Logger): Promise<() => void> {
  const { capabilities } = host;
  if (!(await capabilities.start())) logger.warn('the memory plugin does not report its capabilities; retrying');
  const { problem } = describePlugin(host);
  if (problem !== undefined) logger.warn(problem);
  return () => capabilities.close();
}

function rememberNamespaces(client: HttpMemoryPlugin, engine: Engine): OutsidePlugin {
  const namespaces = new PluginNamespaces(engine);
  return { plugin: new RememberingPlugin(client, namespaces, engine.onFault), client, namespaces };
}

/** Returns the health of the plugin at MEMORY_PLUGIN_URL. Throws UNAVAILABLE if it cannot be reached. */
export async function inspectMemoryPlugin(config: Config): Promise<PluginHealth> {
  const plugin = openOutsidePlugin(config);
  if (plugin === undefined) throw new Error('no plugin is configured');
  try {
    return await plugin.health(systemCaller(config.memoryPluginTenant, '', 'doctor'));
  } finally {
    plugin.close();
  }
}

function openOutsidePlugin({ memoryPluginUrl: url, memoryPluginToken: token }: Config): HttpMemoryPlugin | undefined {
  return url === undefined ? undefined : new HttpMemoryPlugin({ url, token });
}
