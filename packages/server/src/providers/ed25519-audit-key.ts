import { createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto';
import { StartUpError } from '@memhall/core';
import type { AuditKey } from '../ports/audit-key.js';

const keyBytes = 32;
/** What precedes the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410). */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

export class Ed25519AuditKey implements AuditKey {
  readonly publicKey: string;
  readonly trustedKeys: readonly string[];
  readonly #privateKey: KeyObject;

  /** @param privateKey 32 bytes @param previous public keys that this one has replaced, in base64 */
  constructor(privateKey: Buffer, previous: readonly string[]) {
    this.#privateKey = createPrivateKey({
      key: Buffer.concat([pkcs8Prefix, privateKey]),
      format: 'der',
      type: 'pkcs8',
    });
    const { x = '' } = createPublicKey(this.#privateKey).export({ format: 'jwk' });
    this.publicKey = Buffer.from(x, 'base64url').toString('base64');
    this.trustedKeys = [this.publicKey, ...previous];
  }

  sign(text: string): string {
    return sign(null, Buffer.from(text), this.#privateKey).toString('base64');
  }
}

export function newAuditKey(): string {
  return randomBytes(keyBytes).toString('base64');
}

/** Throws StartUpError if the text is not a private key; `name` says where it comes from. */
export function parseAuditKey(text: string, name: string): Buffer {
  const key = fromBase64(text);
  if (key === undefined) throw new StartUpError(`${name} must be 32 bytes in base64, such as: openssl rand -base64 32`);
  return key;
}

/** Parses public keys that are separated by commas. Throws StartUpError. */
export function parsePublicKeys(text: string, name: string): string[] {
  return text.split(',').map((part) => {
    const key = fromBase64(part);
    if (key === undefined)
      throw new StartUpError(`${name} must be public keys, each as \`memhall audit key\` prints it.`);
    return key.toString('base64');
  });
}

function fromBase64(text: string): Buffer | undefined {
  const trimmed = text.trim();
  const key = Buffer.from(trimmed, 'base64');
  return key.length === keyBytes && key.toString('base64') === trimmed ? key : undefined;
}
