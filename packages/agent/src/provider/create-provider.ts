import { resolve } from 'node:path';
import type { ProviderConfiguration } from '../configuration/provider-configuration.js';
import { HttpProvider } from './http/http-provider.js';
import { LocalProvider } from './local/local-provider.js';
import { PluginProvider } from './plugin/plugin-provider.js';
import type { Provider } from './provider.js';

/** Creates the configured provider. Relative roots are resolved against the directory. */
export function createProvider(configuration: ProviderConfiguration, directory = '.'): Provider {
  const { owner } = configuration;
  if (configuration.provider === 'local') {
    const { root, crewRoot, lockTimeoutMs } = configuration;
    const crew = crewRoot === undefined ? undefined : resolve(directory, crewRoot);
    return new LocalProvider({ root: resolve(directory, root), crewRoot: crew, lockTimeoutMs, ...owner });
  }
  const { url, timeoutMs } = configuration;
  if (configuration.provider === 'http')
    return new HttpProvider({ url, token: configuration.token, timeoutMs, ...owner });
  return new PluginProvider({ url, token: configuration.token, timeoutMs, ...owner });
}
