import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { KeyUnavailableError } from '../ports/key-wrapper.js';

const ivBytes = 12;
const tagBytes = 16;

/** Encrypts a key with AES-256-GCM. It can be decrypted only with the same context. */
export function sealKey(master: Buffer, key: Buffer, context: string): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', master, iv).setAAD(Buffer.from(context, 'utf8'));
  return Buffer.concat([iv, cipher.update(key), cipher.final(), cipher.getAuthTag()]);
}

/** Throws KeyUnavailableError if the sealed key was altered, or sealed in another context or with another key. */
export function openKey(master: Buffer, sealed: Buffer, context: string): Buffer {
  try {
    const decipher = createDecipheriv('aes-256-gcm', master, sealed.subarray(0, ivBytes), { authTagLength: tagBytes })
      .setAAD(Buffer.from(context, 'utf8'))
      .setAuthTag(sealed.subarray(-tagBytes));
    return Buffer.concat([decipher.update(sealed.subarray(ivBytes, -tagBytes)), decipher.final()]);
  } catch (cause) {
    throw new KeyUnavailableError('the wrapped data key was altered', { cause });
  }
}
