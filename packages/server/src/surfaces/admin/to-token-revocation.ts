import type { TokenRevocation } from '../../ports/token-revocations.js';

export function toTokenRevocation({ id, kind, subject, issuedBefore, expiresAt, createdAt }: TokenRevocation) {
  return {
    id,
    ...(kind === 'token' ? { token_id: subject } : {}),
    ...(kind === 'user' ? { user_id: subject } : {}),
    ...(issuedBefore === null ? {} : { issued_before: issuedBefore.toISOString() }),
    ...(expiresAt === null ? {} : { expires_at: expiresAt.toISOString() }),
    created_at: createdAt.toISOString(),
  };
}
