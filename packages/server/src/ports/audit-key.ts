/** Signs what is said about audit logs. The private key must not be where the database is. */
export interface AuditKey {
  /** Ed25519 public key, 32 bytes in base64. */
  readonly publicKey: string;
  /** Public keys whose signatures count: this one and those it has replaced. */
  readonly trustedKeys: readonly string[];
  /** Returns the signature of the text's UTF-8 bytes, in base64. */
  sign(text: string): string;
}
