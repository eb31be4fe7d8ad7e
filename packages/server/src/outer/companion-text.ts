import type { IdempotencyRecord } from '../ports/idempotency-keys.js';
import type { Replay } from '../ports/replays.js';
import type { TenantKey } from '../ports/tenant-keys.js';
import { fromQuarantineText, type QuarantineText, toQuarantineText } from './quarantine-text.js';
import type { Companions, QuarantineChange } from './traced-tables.js';

/** A member of a row in JSON: moments as RFC 3339, bytes in base64. */
type Written<T> = T extends Date | Buffer ? string : T;
type WrittenRow<T> = { [K in keyof T]: Written<T[K]> };

export interface CompanionsText {
  idempotency: WrittenRow<IdempotencyRecord>[];
  replays: WrittenRow<Replay>[];
  tenantKeys: WrittenRow<TenantKey>[];
  /** Missing in journals of earlier versions. */
  quarantine?: { id: string; put: QuarantineText | null }[];
}

export function toCompanionsText({ idempotency, replays, tenantKeys, quarantine }: Companions): CompanionsText {
  return {
    idempotency: idempotency.map((record) => ({ ...record, createdAt: record.createdAt.toISOString() })),
    replays: replays.map((replay) => ({
      ...replay,
      createdAt: replay.createdAt.toISOString(),
      updatedAt: replay.updatedAt.toISOString(),
      finishedAt: replay.finishedAt?.toISOString() ?? null,
    })),
    tenantKeys: tenantKeys.map((key) => ({
      ...key,
      wrapped: key.wrapped.toString('base64'),
      createdAt: key.createdAt.toISOString(),
    })),
    quarantine: quarantine.map(({ id, put }) => ({ id, put: put && toQuarantineText(put) })),
  };
}

export function fromCompanionsText({ idempotency, replays, tenantKeys, quarantine = [] }: CompanionsText): Companions {
  return {
    idempotency: idempotency.map((record) => ({ ...record, createdAt: new Date(record.createdAt) })),
    replays: replays.map((replay) => ({
      ...replay,
      createdAt: new Date(replay.createdAt),
      updatedAt: new Date(replay.updatedAt),
      finishedAt: replay.finishedAt === null ? null : new Date(replay.finishedAt),
    })),
    tenantKeys: tenantKeys.map((key) => ({
      ...key,
      wrapped: Buffer.from(key.wrapped, 'base64'),
      createdAt: new Date(key.createdAt),
    })),
    quarantine: quarantine.map(({ id, put }): QuarantineChange => ({ id, put: put && fromQuarantineText(put) })),
  };
}
