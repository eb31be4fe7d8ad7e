import type { Json } from '@memhall/core';
import type {
  MemoryPlugin,
  NewPluginMemory,
  NewPluginNamespace,
  PluginCall,
  PluginHealth,
  PluginMemory,
  PluginNamespace,
  PluginSearch,
} from '../../ports/memory-plugin.js';
import type { Engine } from '../engine.js';
import type { PluginNamespaces } from './plugin-namespaces.js';

/**
 * An external plugin whose namespaces are remembered as they are used: before a write, so that no memory is in a namespace
 * that nobody knows, and when a search returns memories, which covers namespaces that were created in another way.
 */
export class RememberingPlugin implements MemoryPlugin {
  readonly keepsAudit: boolean;
  readonly #plugin: MemoryPlugin;
  readonly #namespaces: PluginNamespaces;
  readonly #onFault: Engine['onFault'];

  constructor(plugin: MemoryPlugin, namespaces: PluginNamespaces, onFault: Engine['onFault']) {
    this.keepsAudit = plugin.keepsAudit;
    this.#plugin = plugin;
    this.#namespaces = namespaces;
    this.#onFault = onFault;
  }

  health(call: PluginCall): Promise<PluginHealth> {
    return this.#plugin.health(call);
  }

  async putNamespace(call: PluginCall, namespace: NewPluginNamespace): Promise<PluginNamespace> {
    await this.#namespaces.remember(call.tenantId, [namespace.name]);
    return this.#plugin.putNamespace(call, namespace);
  }

  updateNamespace(
    call: PluginCall,
    name: string,
    change: { expiresAt?: Date | null | undefined; metadata?: { [key: string]: Json } | null | undefined },
  ): Promise<PluginNamespace> {
    return this.#plugin.updateNamespace(call, name, change);
  }

  deleteNamespace(call: PluginCall, name: string): Promise<void> {
    return this.#plugin.deleteNamespace(call, name);
  }

  async commit(call: PluginCall, namespace: string, memory: NewPluginMemory): Promise<string> {
    await this.#namespaces.remember(call.tenantId, [namespace]);
    return this.#plugin.commit(call, namespace, memory);
  }

  /** Returns the results even if the names cannot be stored. */
  async search(call: PluginCall, search: PluginSearch): Promise<PluginMemory[]> {
    const found = await this.#plugin.search(call, search);
    const names = found.map(({ namespace }) => namespace).filter((name) => search.namespaces.includes(name));
    await this.#namespaces
      .remember(call.tenantId, names)
      .catch((error: unknown) => this.#onFault(error, 'remembering namespaces of the memory plugin'));
    return found;
  }

  forget(call: PluginCall, id: string, namespace: string): Promise<void> {
    return this.#plugin.forget(call, id, namespace);
  }
}
