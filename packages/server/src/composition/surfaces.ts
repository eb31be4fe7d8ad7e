import { adminSurface } from '../surfaces/admin/admin-surface.js';
import { consoleSurface } from '../surfaces/console/console-surface.js';
import { documentsSurface } from '../surfaces/documents/documents-surface.js';
import { gatewaySurface } from '../surfaces/gateway/gateway-surface.js';
import { mcpSurface } from '../surfaces/mcp/mcp-surface.js';
import { memoryServiceSurface } from '../surfaces/memory-service/memory-service-surface.js';
import { oneMemorySurface } from '../surfaces/one-memory/one-memory-surface.js';
import { operationsSurface } from '../surfaces/operations/operations-surface.js';
import { pluginSurface } from '../surfaces/plugin/plugin-surface.js';
import { providerSurface } from '../surfaces/provider/provider-surface.js';
import { version } from './version.js';

export const apiInfo = { title: 'Memhall', version };

/** The surfaces of the main listener. */
export const mainSurfaces = [
  documentsSurface,
  oneMemorySurface,
  memoryServiceSurface,
  gatewaySurface,
  providerSurface,
  mcpSurface,
  adminSurface,
  consoleSurface,
  operationsSurface,
] as const;

export const pluginSurfaces = [pluginSurface] as const;
