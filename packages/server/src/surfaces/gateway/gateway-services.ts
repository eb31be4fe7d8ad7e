import type { Engine } from '../../engine/engine.js';

export interface GatewayServices {
  engine: Engine;
  /** Of users that are made without a token. */
  defaultTenant: string;
}
