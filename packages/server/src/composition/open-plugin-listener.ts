import { StartUpError } from '@memhall/core';
import type { Config } from '../config/settings.js';
import { bindsToLoopback } from '../http/loopback.js';

/** Returns whether other machines could use the plugin listener without a token. */
export async function isOpenToNetwork(config: Config): Promise<boolean> {
  const { pluginSocket, pluginPort, pluginToken, pluginHost } = config;
  if (pluginSocket !== undefined || pluginPort === undefined || pluginToken !== undefined) return false;
  return !(await bindsToLoopback(pluginHost));
}

/** Throws StartUpError if other machines could use the plugin listener without a token and that is not allowed. */
export async function refuseOpenPluginListener(config: Config): Promise<void> {
  if (!config.pluginOpenToNetwork && (await isOpenToNetwork(config))) throw new StartUpError(openListener(config));
}

export function openListener({ pluginHost }: Config): string {
  return `The plugin listener would be open to other machines without a token on ${pluginHost}. Set MEMHALL_PLUGIN_TOKEN, bind it to loopback with --plugin-host, or allow it with --plugin-open-to-network.`;
}
