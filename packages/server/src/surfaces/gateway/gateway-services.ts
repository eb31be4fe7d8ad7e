import type { Engine } from '../../engine/engine.js';

export interface GatewayServices {
  engine: Engine;
  /** Tenant of users that are created without a token. */
  defaultTenant: string;
}
