import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits cannot be guessed, so a fast hash is sufficient for storing keys. */
const keyBytes = 32;

export function newUserKey(): string {
  return `uk_${randomBytes(keyBytes).toString('base64url')}`;
}

export function hashUserKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
