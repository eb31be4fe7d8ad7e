import { createHmac } from 'node:crypto';

export const forgeSecret = 'a secret of at least thirty-two bytes';

export function encodePart(part: unknown): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

export function inSeconds(seconds: number): number {
  return Math.floor(Date.now() / 1000) + seconds;
}

/** Returns a token with any header and claims, valid or not, signed with HMAC; undefined removes a claim. */
export function forgeToken(claims: Record<string, unknown> = {}, header: object = {}, secret = forgeSecret): string {
  const payload = { exp: inSeconds(600), tenant_id: 't1', user_id: 'u1', ...claims };
  const text = `${encodePart({ alg: 'HS256', ...header })}.${encodePart(payload)}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}
