export { loadMemoryConfiguration } from './configuration/load-memory-configuration.js';
export {
  type GatewayConfiguration,
  type MemoryConfiguration,
  type MemoryMode,
  type MemoryScope,
  memoryModes,
  memoryScopes,
  parseMemoryConfiguration,
} from './configuration/memory-configuration.js';
export { SecretText } from './configuration/secret-text.js';
