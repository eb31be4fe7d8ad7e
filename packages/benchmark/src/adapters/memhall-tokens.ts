import { createHmac } from 'node:crypto';
import type { Owner } from '../adapter.js';

/** Makes tokens as `memhall token` does. */
export class MemhallTokens {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** The user's own token. */
  user({ tenant, user }: Owner): string {
    return this.#sign({ tenant_id: tenant, user_id: user });
  }

  /** A service that speaks for users of the tenant. */
  service({ tenant }: Owner): string {
    return this.#sign({ tenant_id: tenant, user_id: 'browser', roles: ['service'] });
  }

  admin({ tenant }: Owner): string {
    return this.#sign({ tenant_id: tenant, user_id: 'administrator', roles: ['admin'] });
  }

  #sign(claims: Record<string, unknown>): string {
    const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const exp = Math.floor(Date.now() / 1000) + 86_400;
    const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ ...claims, exp })}`;
    return `${signed}.${createHmac('sha256', this.#secret).update(signed).digest('base64url')}`;
  }
}
