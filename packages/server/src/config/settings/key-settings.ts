import { integer, optionalText, type Setting } from '../setting.js';

export const keySettings = {
  masterKey: optionalText({
    env: 'MEMHALL_MASTER_KEY',
    secret: true,
    defaultText: 'created on first start in `<data>/master-key`, with mode 0600',
    description:
      'Master key that encrypts the keys of the tenants, which encrypt their snapshots: 32 bytes in base64. All nodes need the same key.',
  }),
  previousMasterKey: optionalText({
    env: 'MEMHALL_MASTER_KEY_PREVIOUS',
    secret: true,
    description: 'The previous master key. Set it until `memhall keys rotate` has finished.',
  }),
  keyVaultKey: optionalText({
    env: 'MEMHALL_KEY_VAULT_KEY',
    description:
      'Key in Azure Key Vault that encrypts the keys of the tenants instead of a master key: `https://<vault>.vault.azure.net/keys/<name>`, an RSA key. Uses the identity of the process: see docs/operate/azure.md.',
  }),
  auditKey: optionalText({
    env: 'MEMHALL_AUDIT_KEY',
    secret: true,
    defaultText: 'created on first start in `<data>/audit-key`, with mode 0600',
    description:
      'Private key that signs the audit log: an Ed25519 key, 32 bytes in base64. All nodes need the same key. Keep it from the owner of the database.',
  }),
  previousAuditKeys: optionalText({
    env: 'MEMHALL_AUDIT_KEY_PREVIOUS',
    description:
      'Comma-separated list of the public keys of earlier audit keys, as `memhall audit key` printed them. Their signatures still count.',
  }),
  auditHeadSeconds: integer({
    env: 'MEMHALL_AUDIT_HEAD_SECONDS',
    default: 300,
    min: 0,
    max: 86_400,
    description:
      'Seconds between two signed heads of an audit log that has new records, at least 30. 0 signs only on demand: see docs/operate/audit.md.',
  }),
  auditWitness: optionalText({
    env: 'MEMHALL_AUDIT_WITNESS',
    pathAfter: 'file:',
    description:
      'Where each signed head of an audit log is sent: `https://…` (receives it by POST), `azure-blob:<container>` or `file:<path>`. Choose a place that the owner of the database cannot change.',
  }),
  auditWitnessSecret: optionalText({
    env: 'MEMHALL_AUDIT_WITNESS_SECRET',
    secret: true,
    description:
      'Bearer token for a witness at a URL, or the connection string of the storage account for `azure-blob`. By default no token, or the account of MEMHALL_AZURE_STORAGE_CONNECTION_STRING or MEMHALL_AZURE_STORAGE_URL.',
  }),
} satisfies Record<string, Setting<unknown>>;
