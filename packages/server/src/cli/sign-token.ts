import { type Json, uuidv7 } from '@memhall/core';
import { SignJWT } from 'jose';

export interface TokenRequest {
  tenant: string;
  user: string;
  service?: string | undefined;
  roles?: readonly string[];
  claims?: Record<string, Json>;
  ttlSeconds: number;
}

export function signToken(secret: string, request: TokenRequest): Promise<string> {
  const now = Date.now();
  return (
    new SignJWT({
      ...request.claims,
      tenant_id: request.tenant,
      user_id: request.user,
      ...(request.service === undefined ? {} : { service_id: request.service }),
      ...(request.roles === undefined || request.roles.length === 0 ? {} : { roles: [...request.roles] }),
    })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setJti(uuidv7())
      // To the millisecond, so that a token can be issued right after others were revoked.
      .setIssuedAt(now / 1000)
      .setExpirationTime(Math.floor(now / 1000) + request.ttlSeconds)
      .sign(new TextEncoder().encode(secret))
  );
}
