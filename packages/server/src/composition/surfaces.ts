import { adminSurface } from '../surfaces/admin/admin-surface.js';
import { chatSurface } from '../surfaces/chat/chat-surface.js';
import { consoleSurface } from '../surfaces/console/console-surface.js';
import { documentsSurface } from '../surfaces/documents/documents-surface.js';
import { filesSurface } from '../surfaces/files/files-surface.js';
import { gatewaySurface } from '../surfaces/gateway/gateway-surface.js';
import { mcpMetadataSurface } from '../surfaces/mcp/mcp-metadata-surface.js';
import { mcpSurface } from '../surfaces/mcp/mcp-surface.js';
import { memoryServiceSurface } from '../surfaces/memory-service/memory-service-surface.js';
import { oneMemorySurface } from '../surfaces/one-memory/one-memory-surface.js';
import { operationsSurface } from '../surfaces/operations/operations-surface.js';
import { pluginSurface } from '../surfaces/plugin/plugin-surface.js';
import { providerSurface } from '../surfaces/provider/provider-surface.js';
import { version } from './version.js';

export const apiInfo = {
  title: 'Memhall',
  version,
  description: 'A memory service for AI agents: one memory, isolated per tenant and user, with every change audited.',
};

export const pluginInfo = { ...apiInfo, title: 'Memory plugin v1', description: 'What a memory plugin answers.' };

/** The surfaces of the main listener, in the order in which people need them. */
export const mainSurfaces = [
  oneMemorySurface,
  memoryServiceSurface,
  gatewaySurface,
  documentsSurface,
  providerSurface,
  filesSurface,
  mcpSurface,
  mcpMetadataSurface,
  operationsSurface,
  chatSurface,
  consoleSurface,
  adminSurface,
] as const;

export const pluginSurfaces = [pluginSurface] as const;
