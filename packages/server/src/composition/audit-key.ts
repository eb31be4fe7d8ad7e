import type { Config } from '../config/settings.js';
import type { AuditKey } from '../ports/audit-key.js';
import { hasAuditKey, readAuditKey } from '../providers/audit-key-file.js';
import { Ed25519AuditKey, parseAuditKey, parsePublicKeys } from '../providers/ed25519-audit-key.js';

/** Returns the configured key, or the one stored in the data directory, which is created if it is missing. */
export async function openAuditKey(config: Config): Promise<AuditKey> {
  const key =
    config.auditKey === undefined
      ? await readAuditKey(config.dataDirectory)
      : parseAuditKey(config.auditKey, 'MEMHALL_AUDIT_KEY');
  return new Ed25519AuditKey(key, previousKeys(config));
}

/** Returns the public keys whose signatures count here, without creating any; `given` are further ones. */
export async function trustedAuditKeys(config: Config, given: readonly string[]): Promise<string[]> {
  const hasKey = config.auditKey !== undefined || hasAuditKey(config.dataDirectory);
  const own = hasKey ? (await openAuditKey(config)).trustedKeys : previousKeys(config);
  return [...own, ...given.flatMap((text) => parsePublicKeys(text, '--key'))];
}

function previousKeys({ previousAuditKeys }: Config): string[] {
  return previousAuditKeys === undefined ? [] : parsePublicKeys(previousAuditKeys, 'MEMHALL_AUDIT_KEY_PREVIOUS');
}
