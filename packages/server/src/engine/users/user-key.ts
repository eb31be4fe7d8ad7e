import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits: nobody finds one by trying, so a fast hash is all it takes to keep them. */
const keyBytes = 32;

export function newUserKey(): string {
  return `uk_${randomBytes(keyBytes).toString('base64url')}`;
}

export function hashUserKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
